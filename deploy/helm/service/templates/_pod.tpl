{{/* What a pod of ours may do, which is little. */}}
{{- define "service.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
fsGroupChangePolicy: OnRootMismatch
seccompProfile: {type: RuntimeDefault}
{{- end }}

{{/* Where pods may stand, and who makes room for them. */}}
{{- define "service.placement" -}}
{{- with .Values.global.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.global.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.global.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- end }}

{{- define "service.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
capabilities: {drop: [ALL]}
{{- end }}

{{/* Settings of a process: dict of root, env and secrets. */}}
{{/* A value as text. Helm reads every number of a values file as a float, which Go prints as 2e+06
from a million on; as JSON it is 2000000. Strings may use templates. */}}
{{- define "service.text" -}}
{{- if kindIs "string" .value }}{{ tpl .value .root }}{{ else }}{{ toJson .value }}{{ end -}}
{{- end }}

{{- define "service.env" -}}
{{- $root := .root -}}
{{- range $name, $value := .env }}
- name: {{ $name }}
  value: {{ include "service.text" (dict "root" $root "value" $value) | quote }}
{{- end }}
{{- range $secret, $keys := .secrets }}
{{- range $keys }}
- name: {{ . }}
  valueFrom:
    secretKeyRef: {name: {{ $secret }}, key: {{ . }}}
{{- end }}
{{- end }}
{{- end }}

{{- define "service.mounts" -}}
{{- range $name, $scratch := .Values.scratch }}
- {name: {{ $name }}, mountPath: {{ $scratch.path }}}
{{- end }}
{{- end }}

{{- define "service.scratch" -}}
{{- range $name, $scratch := .Values.scratch }}
- name: {{ $name }}
  emptyDir: {sizeLimit: {{ include "service.text" (dict "root" $ "value" $scratch.size) }}}
{{- end }}
{{- end }}

{{/* Files of Secrets, the same for a process and its Jobs. */}}
{{- define "service.fileMounts" -}}
{{- range $secret, $path := .Values.files }}
- {name: {{ $secret }}, mountPath: {{ $path }}, readOnly: true}
{{- end }}
{{- end }}

{{- define "service.fileVolumes" -}}
{{- range $secret, $path := .Values.files }}
- name: {{ $secret }}
  secret: {secretName: {{ $secret }}, defaultMode: 0440}
{{- end }}
{{- end }}
