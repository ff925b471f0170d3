# sh -c "$(cat guard.sh)" LABEL SIGNAL GRACE COMMAND...: runs the command and says its process id on
# fd 3. When our input closes, because the launcher asks for a stop or has died, sends SIGNAL every
# second (an early one can be lost) and, after GRACE seconds, KILL. The watcher outlives this shell,
# so the command ends with the launcher even if the guard itself was killed: a launcher that died
# before it read the process id lets SIGPIPE end this shell.
signal=$1 grace=$2
shift 2
exec 4<&0 </dev/null
"$@" 3>&- 4<&- &
child=$!
{
  read -r _ <&4
  while kill -s "$signal" "$child"; do
    [ "$grace" -gt 0 ] || signal=KILL
    sleep 1 || /bin/sleep 1
    grace=$((grace - 1))
  done
} 3>&- >/dev/null 2>&1 &
exec 4<&-
echo "$child" >&3
exec 3>&-
wait "$child"
code=$?
kill "$!" 2>/dev/null
exit "$code"
