/** The packages of Debian that the image is made of, and what of their contents it leaves out. */

/** What Fairlead runs: git over HTTP and SSH, gpg for signatures, a shell for git, and the libraries of Node. */
export const debianRoots: readonly string[] = [
  'base-files',
  'ca-certificates',
  'dash',
  'git',
  'gpg',
  'libstdc++6',
  'openssh-client',
];

/** Dependencies of maintainer scripts, documentation, and of commands that Fairlead never runs. */
const excluded: ReadonlySet<string> = new Set([
  'adduser',
  'awk',
  'debconf',
  'debconf-2.0',
  'debianutils',
  'dpkg',
  'gcc-12-base',
  'git-man',
  'gpgconf',
  'install-info',
  'liberror-perl',
  'mawk',
  'openssl',
  'passwd',
  'perl',
  'perl-base',
  'readline-common',
]);

/** The field `Depends` of a package as the names of its first alternatives. */
export const dependenciesIn = (field: string): string[] =>
  field
    .split(',')
    .map(
      (alternatives) =>
        alternatives
          .split('|')[0]
          ?.replace(/[:(].*$/su, '')
          .trim() ?? '',
    )
    .filter((name) => name !== '');

/** The roots and everything that they depend on, sorted. */
export function debianClosure(roots: readonly string[], dependsOf: (name: string) => string): string[] {
  const found = new Set<string>();
  const visit = (name: string): void => {
    if (found.has(name) || excluded.has(name)) return;
    found.add(name);
    for (const dependency of dependenciesIn(dependsOf(name))) visit(dependency);
  };
  for (const root of roots) visit(root);
  return [...found].sort();
}

const leftOut =
  /^(?:usr\/share\/(?:bash-completion|bug|doc-base|gitweb|info|lintian|locale|man|perl5|gnupg\/help\..*|git-core\/contrib)\/|usr\/lib\/[^/]+\/(?:gconv|perl5)\/|usr\/lib\/systemd\/|etc\/(?:init\.d|cron\..*|default|update-motd\.d|ssl\/certs)\/)/u;
/** Programs of git that serve repositories or need other software; each has another copy of git's code. */
const unusedPrograms =
  /^usr\/(?:bin|lib\/git-core)\/(?:scalar|git-(?:daemon|http-fetch|http-push|imap-send|sh-i18n--envsubst|shell))$/u;
const documentation = /^usr\/share\/doc\/(?!.*\/copyright$)/u;

/** Whether the image includes a file of a package. Licenses stay. */
export const isNeeded = (path: string): boolean =>
  !leftOut.test(path) && !unusedPrograms.test(path) && !documentation.test(path);
