/** A link that a tenant or a setting names: only web addresses, never `javascript:` or `data:`. */
export function safeUrl(url: string | undefined): string | undefined {
  if (url === undefined || !URL.canParse(url)) return undefined;
  return /^https?:$/u.test(new URL(url).protocol) ? url : undefined;
}
