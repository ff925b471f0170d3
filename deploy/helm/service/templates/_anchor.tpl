{{/* Where a process with "anchor" keeps checkpoints: object storage under a lock, or its volume. */}}
{{- define "service.anchorEnv" -}}
{{- if .Values.anchor }}
{{- $anchor := .Values.global.anchor -}}
{{- if $anchor.bucket }}
{{- $_ := required "global.peers.objects is required with global.anchor.bucket" .Values.global.peers.objects }}
- {name: CUSTODY_ANCHOR_BUCKET, value: {{ $anchor.bucket | quote }}}
- {name: CUSTODY_ANCHOR_ENDPOINT, value: {{ $anchor.endpoint | quote }}}
- {name: CUSTODY_ANCHOR_RETENTION, value: {{ $anchor.retention | quote }}}
{{- with $anchor.region }}
- {name: AWS_REGION, value: {{ . | quote }}}
{{- end }}
{{- with $anchor.secret }}
{{- range list "AWS_ACCESS_KEY_ID" "AWS_SECRET_ACCESS_KEY" }}
- name: {{ . }}
  valueFrom:
    secretKeyRef: {name: {{ $anchor.secret }}, key: {{ . }}}
{{- end }}
{{- end }}
{{- else }}
- {name: CUSTODY_ANCHOR_FILE, value: {{ .Values.persistence.anchor.path }}/checkpoints}
{{- end }}
{{- end }}
{{- end }}

{{/* What is kept on volumes, as YAML: without the anchor where a bucket is it. */}}
{{- define "service.persistence" -}}
{{- if and .Values.anchor .Values.global.anchor.bucket -}}
{{ omit .Values.persistence "anchor" | toYaml }}
{{- else -}}
{{ toYaml .Values.persistence }}
{{- end -}}
{{- end }}
