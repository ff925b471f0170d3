{{/* PromQL in which every selector asks for this release's namespace alone: dict of expr and
namespace. One Prometheus may see other releases and other teams, and a rule is silent or loud for
its own. Reads the expression word by word; deploy/test compares it with promtool's own parser. */}}
{{- define "monitoring.ofNamespace" -}}
{{- $asked := printf "namespace=%q" .namespace -}}
{{- $name := `[a-zA-Z_:][a-zA-Z0-9_:]*` -}}
{{- $text := `(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')` -}}
{{- $matchers := printf `\{(?:[^"'{}]|%s)*\}` $text -}}
{{- $words := list
  $text
  `#[^\n]*`
  `\[[^\]]*\]`
  (printf `\b(?:by|without|on|ignoring|group_left|group_right)\s*\([^)]*\)` )
  (printf `%s\s*\(` $name)
  (printf `(?:%s)?%s` $name $matchers)
  $name
  `[0-9][0-9a-zA-Z_.]*`
  `(?s:.)`
-}}
{{- $own := splitList " " "and or unless bool offset inf nan atan2 start end by without on ignoring group_left group_right sum min max avg group stddev stdvar count count_values bottomk topk quantile limitk limit_ratio" -}}
{{- range regexFindAll (join "|" $words) .expr -1 -}}
{{- if regexMatch (printf `^(?:%s)?\{` $name) . -}}
{{- $begun := regexReplaceAll (printf `^((?:%s)?)\{\s*` $name) . (printf "${1}{%s," $asked) -}}
{{- regexReplaceAll `,\s*\}$` $begun "}" -}}
{{- else if and (regexMatch (printf `^%s$` $name) .) (not (has (lower .) $own)) -}}
{{- printf "%s{%s}" . $asked -}}
{{- else -}}
{{- . -}}
{{- end -}}
{{- end -}}
{{- end }}
