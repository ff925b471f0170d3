set -eu
since=$(cat last-poll.txt 2>/dev/null || echo 2026-01-01T00:00:00Z)
as_of='' cursor=''
while :; do
  curl -sS --fail-with-body -o page.json -G "$API/orders" -H "Authorization: Bearer $KEY" \
    -d "updated_since=$since" -d limit=100 ${cursor:+--data-urlencode "cursor=$cursor"}
  jq -c '.data[] | [.id, .status]' page.json # process each order here; it can come again
  as_of=${as_of:-$(jq -er .as_of page.json)} # of the first page
  cursor=$(jq -r '.next_cursor // ""' page.json)
  [ -n "$cursor" ] || break
done
echo "$as_of" > last-poll.next
mv last-poll.next last-poll.txt # complete or not at all
