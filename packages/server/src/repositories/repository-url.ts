/** Whether two addresses are one repository to the API: letter case, `.git` and the two forms of SSH do not count, a slash at the end does. */
export const isSameRepository = (one: string, other: string): boolean => normalized(one) === normalized(other);

function normalized(text: string): string {
  const url = text.trim().toLowerCase();
  const ssh = url.includes('://') ? undefined : /^([^/:]+@[^/:]+):(.*)$/su.exec(url);
  const address = ssh ? `ssh://${ssh[1]}/${ssh[2]}` : url;
  return address.replace(/\.git$/u, '');
}

/**
 * An address from a path, where it is escaped as a whole: other addresses have a slash. Clients of gRPC send it as it is.
 */
export function unescapedAddress(text: string): string {
  if (text.includes('/') || !text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
