# Completion in bash of boltzmark's commands, options and plans, all asked of the driver itself.
_boltzmark() {
  local driver=${COMP_WORDS[0]} command=${COMP_WORDS[1]} word=${COMP_WORDS[COMP_CWORD]} words=
  if ((COMP_CWORD == 1)); then
    words="--help --version --site $("$driver" --help 2>/dev/null | sed -n '/ubcommands:/,$ s/^  \([a-z][a-z-]*\)  .*/\1/p')"
  elif [[ $word == -* ]]; then
    words=$("$driver" "$command" --help 2>/dev/null | grep -o -e '--[a-z][a-z-]*' | sort -u)
  elif [[ $command == @(run|job|predict|list) ]]; then
    words=$("$driver" run no-such-plan 2>&1 | sed -n 's/.*plan: expected \(.*\) or a plan file.*/\1/p' | tr -d ,)
  fi
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}
complete -o default -F _boltzmark boltzmark
