// The custom resources that are deployed, with no field but those that are
// used, after the Go types named at each.
import {HorizontalPodAutoscalerBehavior} from 'kubernetes-types/autoscaling/v2';
import {LabelSelector, ObjectMeta} from 'kubernetes-types/meta/v1';

interface Resource<Version, Kind, Spec> {
  apiVersion: Version;
  kind: Kind;
  metadata: ObjectMeta;
  spec: Spec;
}

// prometheus-operator/prometheus-operator, pkg/apis/monitoring/v1:
// servicemonitor_types.go, prometheusrule_types.go
export type ServiceMonitor =
    Resource<'monitoring.coreos.com/v1', 'ServiceMonitor', {
      jobLabel?: string;
      selector: LabelSelector;
      endpoints: {port: string; interval?: string}[];
    }>;

export type PrometheusRule =
    Resource<'monitoring.coreos.com/v1', 'PrometheusRule', {
      groups: {
        name: string;
        interval?: string;
        rules: {
          record?: string;
          alert?: string;
          expr: string;
          for?: string;
          labels?: {[name: string]: string};
          annotations?: {[name: string]: string};
        }[];
      }[];
    }>;

// kubernetes-sigs/gateway-api, apis/v1: shared_types.go, grpcroute_types.go,
// httproute_types.go
interface Route<Match> {
  parentRefs: {name: string; namespace?: string}[];
  hostnames?: string[];
  rules: {matches: Match[]; backendRefs: {name: string; port: number}[]}[];
}

export type GRPCRoute =
    Resource<'gateway.networking.k8s.io/v1', 'GRPCRoute',
             Route<{method: {service?: string; method?: string}}>>;

export type HTTPRoute =
    Resource<'gateway.networking.k8s.io/v1', 'HTTPRoute',
             Route<{path: {type: 'Exact' | 'PathPrefix'; value: string}}>>;

// kedacore/keda, apis/keda/v1alpha1: scaledobject_types.go,
// scaletriggers_types.go; pkg/scalers: prometheus_scaler.go,
// cpu_memory_scaler.go
export type ScaledObject = Resource<'keda.sh/v1alpha1', 'ScaledObject', {
  scaleTargetRef: {name: string};
  minReplicaCount?: number;
  maxReplicaCount?: number;
  advanced?: {
    horizontalPodAutoscalerConfig?: {
      behavior?: HorizontalPodAutoscalerBehavior;
    };
  };
  triggers: ({
    type: 'prometheus';
    metricType?: 'AverageValue' | 'Value';
    metadata: {
      serverAddress: string;
      query: string;
      threshold: string;
      ignoreNullValues?: 'true' | 'false';
    };
  } | {
    type: 'cpu';
    metricType: 'AverageValue' | 'Utilization';
    metadata: {value: string};
  })[];
}>;

// cert-manager/cert-manager, pkg/apis/certmanager/v1: types_certificate.go,
// types.go
export type Certificate = Resource<'cert-manager.io/v1', 'Certificate', {
  secretName: string;
  issuerRef: {name: string; kind?: 'Issuer' | 'ClusterIssuer'};
  dnsNames?: string[];
  usages?: ('digital signature' | 'key encipherment' | 'server auth' |
            'client auth')[];
  privateKey?: {
    algorithm?: 'RSA' | 'ECDSA' | 'Ed25519';
    size?: number;
    rotationPolicy?: 'Never' | 'Always';
  };
}>;
