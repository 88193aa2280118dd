/** Text that kubectl itself prints, and that versions before the recorded 1.36 print differently with any server. */
const changes: readonly { readonly what: string; rewrite(recorded: string): string }[] = [
  {
    what: 'delete does not print the namespace',
    rewrite: (text) => text.replace(/( deleted) from \S+ namespace/g, '$1'),
  },
  {
    what: 'describe does not show the time zone of a CronJob',
    rewrite: (text) => text.replace(/^Time Zone:.*\n/m, ''),
  },
  {
    what: 'describe still shows the kube-proxy version of a node',
    rewrite: (text) => text.replace(/^( +)Kubelet Version:.*$/m, '$&\n$1Kube-Proxy Version:'),
  },
  {
    what: 'describe still shows the secrets and tokens of a service account',
    rewrite: (text) => text.replace(/^Image pull secrets:.*$/m, '$&\nMountable secrets:\nTokens:'),
  },
  {
    what: 'a container port is shown without its name',
    rewrite: (text) => text.replace(/(\d+\/(?:TCP|UDP|SCTP)) \([^)]+\)/g, '$1'),
  },
  {
    what: 'drain says "cannot delete" twice',
    rewrite: (text) => text.replaceAll('cannot delete Pods', 'cannot delete cannot delete Pods'),
  },
  {
    what: 'a refused exec is printed as a server error',
    rewrite: (text) => text.replace(/^error: unable to upgrade connection: /m, 'Error from server (BadRequest): '),
  },
];

/**
 * Why an output differs from the recorded one because of the client and not of the server: it matches once the recorded text is
 * rewritten as an older kubectl prints it. Undefined if it does not match even so, or if the kubectl is not older.
 */
export function olderClient(
  version: string,
  recorded: string,
  fits: (rewritten: string) => boolean,
): string | undefined {
  const minor = Number(/^v1\.(\d+)\./.exec(version)?.[1] ?? Number.POSITIVE_INFINITY);
  if (minor >= 36) return undefined;
  const applied = changes.filter(({ rewrite }) => rewrite(recorded) !== recorded);
  const rewritten = applied.reduce((text, { rewrite }) => rewrite(text), recorded);
  return applied.length > 0 && fits(rewritten) ? applied.map(({ what }) => what).join('; ') : undefined;
}
