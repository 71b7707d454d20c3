// Checks objects against the types of their kinds: unknown fields, wrong types
// and missing fields are faults. The built-in kinds are those of the package
// kubernetes-types, the others those of custom_resources.d.ts.
'use strict';

const {diagnostics} = require('./typescript.js');

const CUSTOM = './custom_resources';
const TYPES = {  // By apiVersion and kind.
  'apps/v1 Deployment': 'kubernetes-types/apps/v1',
  'autoscaling/v2 HorizontalPodAutoscaler': 'kubernetes-types/autoscaling/v2',
  'cert-manager.io/v1 Certificate': CUSTOM,
  'gateway.networking.k8s.io/v1 GRPCRoute': CUSTOM,
  'gateway.networking.k8s.io/v1 HTTPRoute': CUSTOM,
  'keda.sh/v1alpha1 ScaledObject': CUSTOM,
  'monitoring.coreos.com/v1 PrometheusRule': CUSTOM,
  'monitoring.coreos.com/v1 ServiceMonitor': CUSTOM,
  'networking.k8s.io/v1 NetworkPolicy': 'kubernetes-types/networking/v1',
  'policy/v1 PodDisruptionBudget': 'kubernetes-types/policy/v1',
  'v1 Service': 'kubernetes-types/core/v1',
};

// As TypeScript whose compilation fails where `object` is not of its kind.
function source(object) {
  const module = TYPES[`${object.apiVersion} ${object.kind}`];
  if (!module) throw new Error(`no type for ${object.kind}`);
  return `import {${object.kind}} from ${JSON.stringify(module)};\n` +
      `const object: ${object.kind} = ${JSON.stringify(object)};\n`;
}

// The faults of each of `objects`, in their order: an array of texts each.
function faults(objects) {
  return diagnostics(objects.map(source));
}

module.exports = {faults};
