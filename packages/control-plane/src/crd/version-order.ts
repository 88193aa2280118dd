const kubernetesVersion = /^v([1-9][0-9]*)(?:(alpha|beta)([1-9][0-9]*))?$/;
const stability: Readonly<Record<string, number>> = { alpha: 0, beta: 1 };

/** Versions in the order of discovery: `v10`, `v2`, `v1`, `v2beta1`, `v1alpha1`, then other names alphabetically. */
export function compareVersions(left: string, right: string): number {
  const a = kubernetesVersion.exec(left);
  const b = kubernetesVersion.exec(right);
  if (!a || !b) return a ? -1 : b ? 1 : left < right ? -1 : left > right ? 1 : 0;
  const rank = (match: RegExpExecArray) => stability[match[2] ?? ''] ?? 2;
  return rank(b) - rank(a) || Number(b[1]) - Number(a[1]) || Number(b[3] ?? 0) - Number(a[3] ?? 0);
}
