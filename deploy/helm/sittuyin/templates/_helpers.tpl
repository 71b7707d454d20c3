{{- define "sittuyin.labels" -}}
app.kubernetes.io/name: sittuyin
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- /* Of the list of the root and what the name ends in. */}}
{{- define "sittuyin.metadata" -}}
{{- $root := first . -}}
name: {{ $root.Release.Name }}{{ last . }}
namespace: {{ $root.Release.Namespace }}
labels:
  {{- include "sittuyin.labels" $root | nindent 2 }}
{{- end }}

{{- /* The kubelet's gRPC probes know no TLS; /readyz tells the same. */}}
{{- define "sittuyin.ready" -}}
{{- if .Values.tls.secret -}}
httpGet:
  path: /readyz
  port: admin
{{- else -}}
grpc:
  port: 50051
  service: sittuyin.v1.SittuyinService
{{- end }}
{{- end }}

{{- /* Of those that the server reads, by the folder they are mounted in. */}}
{{- define "sittuyin.secrets" -}}
{{- with .Values.tls.secret }}
tls: {{ . }}
{{- end }}
{{- with .Values.tokens.secret }}
tokens: {{ . }}
{{- end }}
{{- end }}

{{- define "sittuyin.scaling" -}}
scaleDown:
  policies:
  - type: Pods
    value: 1
    periodSeconds: 60
{{- end }}
