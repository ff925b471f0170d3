{{- define "service.labels" -}}
{{ include "service.selector" . }}
app.kubernetes.io/part-of: partner-api
app.kubernetes.io/managed-by: {{ .Release.Service }}
app.kubernetes.io/version: {{ .Values.global.image.tag | quote }}
helm.sh/chart: {{ printf "service-%s" .Chart.Version }}
{{- end }}

{{/* A process is known by its name and its release: to Services, policies, and people. */}}
{{- define "service.selector" -}}
app.kubernetes.io/name: {{ .process | default .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "service.image" -}}
{{- $name := .Values.image.name | default .Chart.Name -}}
{{- $digest := get (.Values.global.image.digests | default dict) $name -}}
{{- $reference := printf "%s/%s:%s" .Values.global.image.repository $name (required "global.image.tag is required" .Values.global.image.tag) -}}
{{- if $digest }}{{ $reference }}@{{ $digest }}{{ else }}{{ $reference }}{{ end -}}
{{- end }}

{{- define "service.hasTls" -}}
{{- if .Values.tls }}yes{{ end -}}
{{- end }}

{{/* Who stands at the other end of an arrow: a process of ours, or a peer from outside of the
release. Empty for a peer that this environment has not got (null). */}}
{{- define "service.peer" -}}
{{- $peers := .root.Values.global.peers -}}
{{- if has .name .root.Values.global.processes -}}
- podSelector:
    matchLabels: {{- include "service.selector" (merge (dict "process" .name) .root) | nindent 6 }}
{{- else if hasKey $peers .name -}}
{{- with get $peers .name }}
{{- if not .at }}{{ fail (printf "global.peers.%s.at is required: nothing there would mean everybody" $.name) }}{{ end }}
{{- range .at }}
{{- $at := deepCopy . }}
{{- with $at.ipBlock }}
{{- $family := contains ":" .cidr }}
{{- $except := .except | default list }}
{{- range (get $peers $.name).except }}
{{- if eq $family (contains ":" .) }}{{ $except = append $except . }}{{ end }}
{{- end }}
{{- if $except }}{{ $_ := set . "except" (uniq $except) }}{{ end }}
{{- end }}
{{ list $at | toYaml }}
{{- end }}
{{- end -}}
{{- else -}}
{{- fail (printf "global.arrows: nobody is called %s" .name) -}}
{{- end -}}
{{- end }}

{{/* For objects that Jobs need: created again before them, whose weights are -10 at least. Helm leaves it behind
when the release goes. */}}
{{- define "service.beforeJobs" -}}
helm.sh/hook: pre-install,pre-upgrade
helm.sh/hook-weight: "-20"
helm.sh/hook-delete-policy: before-hook-creation
{{- end }}

{{/* How often a topic is kept, as its declaration says it. */}}
{{- define "service.copies" -}}
{{- with .Values.global.kafka }}{{ .replication }}/{{ .minInSync }}{{ end -}}
{{- end }}

{{/* The Kafka user of a service, or of the Job that declares topics ("topics"). */}}
{{- define "service.kafkaUser" -}}
{{- $kafka := .root.Values.global.kafka -}}
{{- get ($kafka.users | default dict) .of | default $kafka.username -}}
{{- end }}

{{/* The services' users as the Job takes them; empty where it makes no ACLs. */}}
{{- define "service.aclUsers" -}}
{{- if .Values.global.kafka.acls.enabled -}}
{{- $root := . -}}
{{- $users := list -}}
{{- range list "orders" "custody" "webhooks" -}}
{{- $users = append $users (printf "%s=%s" . (include "service.kafkaUser" (dict "root" $root "of" .))) -}}
{{- end -}}
{{- join "," $users -}}
{{- end -}}
{{- end }}
