{{- define "stores.labels" -}}
app.kubernetes.io/name: {{ .name }}
app.kubernetes.io/part-of: local-stores
app.kubernetes.io/managed-by: Helm
{{- end }}

{{- define "stores.pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: {{ .user }}
  runAsGroup: {{ .user }}
  fsGroup: {{ .user }}
  seccompProfile: {type: RuntimeDefault}
{{- end }}

{{- define "stores.container" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: {drop: [ALL]}
{{- end }}
