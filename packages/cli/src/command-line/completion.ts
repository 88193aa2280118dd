/**
 * Each script passes the words up to the cursor to `fairlead __complete`, so a script that was loaded earlier knows new commands.
 * A line of the answer is a word, or a word, a tab and its description.
 */
const scripts: Readonly<Record<string, string>> = {
  bash: `_fairlead() {
  local line words=("\${COMP_WORDS[@]:1:COMP_CWORD}")
  COMPREPLY=()
  while IFS= read -r line; do
    case "$line" in
      ':file') compopt -o default 2>/dev/null; return ;;
      ':folder') compopt -o dirnames 2>/dev/null; return ;;
      *) COMPREPLY+=("\${line%%$'\\t'*}") ;;
    esac
  done < <("\${COMP_WORDS[0]}" __complete "\${words[@]}" 2>/dev/null)
}
complete -F _fairlead fairlead
`,
  zsh: `#compdef fairlead
_fairlead() {
  local line
  local -a found
  for line in "\${(@f)$("\${words[1]}" __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    case "$line" in
      ':file') _files; return ;;
      ':folder') _files -/; return ;;
      '') ;;
      *) found+=("\${\${line//:/\\\\:}/$'\\t'/:}") ;;
    esac
  done
  _describe 'fairlead' found
}
compdef _fairlead fairlead
`,
  fish: `function __fairlead_complete
    set -l words (commandline -opc) (commandline -ct)
    set -l found ($words[1] __complete $words[2..-1] 2>/dev/null)
    switch "$found[1]"
        case ':file'
            __fish_complete_path (commandline -ct)
        case ':folder'
            __fish_complete_directories (commandline -ct)
        case '*'
            printf '%s\\n' $found
    end
end
complete -c fairlead -f -a '(__fairlead_complete)'
`,
};

export const completionScript = (shell: string): string | undefined =>
  Object.hasOwn(scripts, shell) ? scripts[shell] : undefined;
