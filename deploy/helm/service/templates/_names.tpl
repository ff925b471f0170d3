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

{{/* The address of a service in each cell, as gateway and operators service read it: dict of root and
address, with %s for the namespace. Without further cells it is the address alone. */}}
{{- define "service.ofCells" -}}
{{- $own := printf .address "" -}}
{{- $all := list (printf "main=%s" $own) -}}
{{- range $cell, $namespace := .root.Values.global.cells -}}
{{- $all = append $all (printf "%s=%s" $cell (printf $.address (printf ".%s" $namespace))) -}}
{{- end -}}
{{- if .root.Values.global.cells }}{{ join ";" $all }}{{ else }}{{ $own }}{{ end -}}
{{- end }}

{{/* Whom the names in certificates belong to: the processes of all cells are known by the names of the
first release's namespace. */}}
{{- define "service.identityDomain" -}}
{{- .Values.global.firstNamespace | default .Release.Namespace }}.svc
{{- end }}

{{/* Who stands at the other end of an arrow: a process of ours, or a peer from outside of the
release. Dict of root, of the process at this end, and of the other's name. Empty for a peer that this
environment has not got (null). */}}
{{- define "service.peer" -}}
{{- $peers := .root.Values.global.peers -}}
{{- $global := .root.Values.global -}}
{{- if has .name $global.processes -}}
{{- $isShared := has .name $global.sharedProcesses -}}
{{- $far := list -}}
{{- if and $global.firstNamespace $isShared -}}
{{- $far = list $global.firstNamespace -}}
{{- else -}}
{{- if and (has .process $global.sharedProcesses) (not $isShared) -}}
{{- $far = values $global.cells | sortAlpha -}}
{{- end -}}
- podSelector:
    matchLabels: {{- include "service.selector" (merge (dict "process" .name) .root) | nindent 6 }}
{{- end }}
{{- range $far }}
- namespaceSelector:
    matchLabels: {kubernetes.io/metadata.name: {{ . }}}
  podSelector:
    matchLabels: {app.kubernetes.io/name: {{ $.name }}, app.kubernetes.io/part-of: partner-api}
{{- end }}
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
