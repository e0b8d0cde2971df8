#!/bin/sh
# progress.sh WHAT COMMAND...: runs a command and replaces its output by one line that is updated: WHAT, the part done,
# the time left, and THEN, if that is set; in a pipe a line every half minute. Reads the counts of Ninja ("[37/112]
# ..."), Make ("[ 37%] ...") and apt ("pmstatus:...:37:..."). Other output of the command is shown if it fails; what
# CMake skips is always shown. V=1: all output, unchanged.
what=$1
shift
[ -z "${V:-}" ] || exec "$@"

kept=$(mktemp) || exit 2
trap 'rm -f "$kept"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
is_terminal=
[ ! -t 2 ] || [ "${TERM:-dumb}" = dumb ] || is_terminal=1
begin=$(date +%s)
shown=0   # time of the last line in a pipe

# show LINE: at most 79 columns, so that it never breaks.
show() {
  if [ -n "$is_terminal" ]; then
    printf '\r%.79s\033[K' "$1" >&2
  elif [ $((now - shown)) -ge 30 ]; then
    printf '%s\n' "$1" >&2
    shown=$now
  fi
}
clear_line() { [ -z "$is_terminal" ] || printf '\r\033[K' >&2; }
clock() { printf '%d:%02d' $(($1 / 60)) $(($1 % 60)); }
# at DONE ALL COUNTED: each remaining piece is assumed to take as long as those done.
at() {
  now=$(date +%s)
  left=
  [ "$1" -lt 3 ] || [ $((now - begin)) -lt 3 ] || left=", $(clock $(((now - begin) * ($2 - $1) / $1))) min left"
  show "$what: $3$left${THEN:+, $THEN}"
}

now=$begin
stage=
show "$what"
{ "$@" 2>&1; echo "progress.sh: $?"; } | {
  while IFS= read -r line; do
    case $line in
      "progress.sh: "*) status=${line##* } ;;
      "["*/*"] "*)
        count=${line%%"]"*}
        count=${count#"["}
        at "${count%/*}" "${count#*/}" "${count%/*} of ${count#*/}" ;;
      "["*%"] "*)
        count=${line%%%*}
        count=${count##*[ \[]}
        at "$count" 100 "$count %" ;;
      dlstatus:*|pmstatus:*)
        count=${line#*:*:}
        count=${count%%.*}
        case $line in dlstatus:*) now_at=fetching ;; *) now_at=unpacking ;; esac
        [ "$now_at" = "$stage" ] || { stage=$now_at; begin=$(date +%s); }
        at "${count%%:*}" 100 "$stage, ${count%%:*} %" ;;
      "-- Skipping "*|*" has no --"*)
        clear_line
        printf '%s\n' "${line#-- }" >&2 ;;
      *) printf '%s\n' "$line" >> "$kept" ;;
    esac
  done
  clear_line
  [ "${status:-1}" = 0 ] || { cat "$kept"; echo "$what: failed with status ${status:-1}"; } >&2
  exit "${status:-1}"
}
status=$?
[ $status -ne 0 ] || [ $(($(date +%s) - begin)) -lt 3 ] || echo "$what: $(clock $(($(date +%s) - begin))) min" >&2
exit $status
