const host = String.raw`(?:(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])(?:\.(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9]))*|\[[a-fA-F0-9:]+\])(?::[0-9]+)?`;
const part = '[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*';
const digest = '[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}';
const reference = new RegExp(String.raw`^((?:${host}/)?${part}(?:/${part})*)(?::(\w[\w.-]{0,127}))?(?:@(${digest}))?$`);

/** The tag that an image reference stands for: `latest` when it names neither tag nor digest, undefined when it is no reference. */
export function imageTag(image: string): string | undefined {
  if (/^[a-f0-9]{64}$/.test(image)) return undefined;
  const match = reference.exec(image);
  if (!match) return undefined;
  const [, name, tag, pinned] = match;
  if (pathOf(name!).length > longestPath) return undefined;
  return tag ?? (pinned ? undefined : 'latest');
}

const longestPath = 255;

/** A name without its registry; of Docker's own images, as they are called there. */
function pathOf(name: string): string {
  const [first = '', ...rest] = name.split('/');
  if (rest.length === 0) return `library/${name}`;
  const isRegistry = /[.:]/.test(first) || first === 'localhost' || first !== first.toLowerCase();
  return isRegistry ? rest.join('/') : name;
}

/** What kubelets do with an image unless told: ask the registry each time only when the tag may move under them. */
export const pullPolicyFor = (image: string | undefined): string =>
  imageTag(image ?? '') === 'latest' ? 'Always' : 'IfNotPresent';
