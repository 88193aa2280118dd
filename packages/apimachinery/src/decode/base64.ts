/** Decodes base64 as the standard encoding of Go does (line breaks are skipped), and returns its canonical form. */
export function readBase64(text: string): { readonly text: string } | { readonly problem: string } {
  const canonical = Buffer.from(text, 'base64').toString('base64');
  if (canonical === text) return { text };
  const bad = corruptAt(text);
  return bad === undefined ? { text: canonical } : { problem: `illegal base64 data at input byte ${bad}` };
}

/** The position where Go reports an error: at an invalid character, at misplaced padding, or where a group of four is incomplete. */
function corruptAt(text: string): number | undefined {
  let inGroup = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    if (char === '\n' || char === '\r') continue;
    if (/[A-Za-z0-9+/]/.test(char)) {
      inGroup = (inGroup + 1) % 4;
      continue;
    }
    if (char !== '=' || inGroup < 2) return at;
    return paddingCorruptAt(text, at + 1, inGroup === 2);
  }
  return inGroup === 0 ? undefined : text.length - inGroup;
}

/** Two characters of a group need a second `=`, and after the padding there is nothing more. */
function paddingCorruptAt(text: string, from: number, needsSecond: boolean): number | undefined {
  let at = skipBreaks(text, from);
  if (needsSecond) {
    if (at === text.length) return at;
    if (text[at] !== '=') return at - 1;
    at = skipBreaks(text, at + 1);
  }
  return at === text.length ? undefined : at;
}

function skipBreaks(text: string, from: number): number {
  let at = from;
  while (text[at] === '\n' || text[at] === '\r') at++;
  return at;
}
