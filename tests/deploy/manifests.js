// What the overlays of kustomize and the value files of Helm render to.
'use strict';

const {spawnSync} = require('child_process');
const path = require('path');

const npm = path.resolve('build/npm');
const yaml = require(path.join(npm, 'node_modules/yaml'));

const CHART = 'deploy/helm/sittuyin';
const SETS = {  // Overlay: value files.
  dev: ['values-dev.yaml'],
  production: ['values-production.yaml'],
  'production-keda': ['values-production.yaml', 'values-keda.yaml'],
  'production-mtls': ['values-production.yaml', 'values-mtls.yaml'],
  'production-tokens': ['values-production.yaml', 'values-tokens.yaml'],
};

function run(program, ...args) {
  const done = spawnSync(program, args, {encoding: 'utf8'});
  if (done.error) throw done.error;
  return done;
}

function helm(...args) {
  return run(path.join(npm, 'kubernetes/helm/helm'), ...args);
}

// The objects of a stream of YAML by kind and name.
function objects(done) {
  if (done.status !== 0) throw new Error(done.stderr);
  const found = {};
  for (const document of yaml.parseAllDocuments(done.stdout)) {
    if (document.errors.length > 0) throw document.errors[0];
    const object = document.toJS();
    if (object === null) continue;  // All of the template was left out.
    const name = `${object.kind} ${object.metadata.name}`;
    if (name in found) throw new Error(`${name} is there twice`);
    found[name] = object;
  }
  return found;
}

function kustomize(overlay) {
  return objects(run(path.join(npm, 'kubernetes/kubectl/kubectl'), 'kustomize',
                     `deploy/kubernetes/overlays/${overlay}`));
}

// Installs nothing: the release sittuyin in the namespace sittuyin.
function helmTemplate(...args) {
  return helm('template', 'sittuyin', CHART, '--namespace', 'sittuyin',
              ...args);
}

function valueFiles(set) {
  return SETS[set].flatMap(file => ['--values', `${CHART}/${file}`]);
}

module.exports =
    {CHART, SETS, helm, helmTemplate, kustomize, objects, run, valueFiles,
     yaml};
