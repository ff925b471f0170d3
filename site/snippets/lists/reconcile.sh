since=$(cat last-poll.txt 2>/dev/null || echo 2026-01-01T00:00:00Z)
as_of= cursor=
while :; do
  page=$(curl -sS --fail-with-body -G "$API/orders" -H "Authorization: Bearer $KEY" \
    -d "updated_since=$since" -d limit=100 ${cursor:+--data-urlencode "cursor=$cursor"}) || exit 1
  echo "$page" | jq -c '.data[] | [.id, .status]' # process each order here; it can come again
  as_of=${as_of:-$(echo "$page" | jq -r .as_of)} # of the first page
  cursor=$(echo "$page" | jq -r '.next_cursor // empty')
  [ -n "$cursor" ] || break
done
echo "$as_of" > last-poll.next && mv last-poll.next last-poll.txt # complete or not at all
