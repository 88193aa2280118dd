/** The payload of a commit or an annotated tag, and its signature. */
export interface SignedObject {
  readonly payload: Buffer;
  /** Armored, as stored by git. */
  readonly signature: string;
}

/** Headers of a commit that contain a signature; the signed payload is the commit without any of them. */
const signatureHeaders = ['gpgsig ', 'gpgsig-sha256 '];

const armors = ['-----BEGIN PGP SIGNATURE-----', '-----BEGIN SSH SIGNATURE-----', '-----BEGIN SIGNED MESSAGE-----'];

/** Undefined if there is no signature. Bytes are unchanged: a signature is over bytes, not over text. */
export function signedObject(type: 'commit' | 'tag', content: Buffer): SignedObject | undefined {
  const text = content.toString('latin1');
  return type === 'commit' ? signedCommit(text) : signedTag(text);
}

function signedCommit(text: string): SignedObject | undefined {
  const end = text.indexOf('\n\n');
  const headers = (end < 0 ? text : text.slice(0, end)).split('\n');
  const kept: string[] = [];
  const signature: string[] = [];
  let inside: 'kept' | 'signature' = 'kept';
  for (const line of headers) {
    const header = signatureHeaders.find((name) => line.startsWith(name));
    if (!line.startsWith(' ')) inside = header === undefined ? 'kept' : 'signature';
    if (inside === 'kept') kept.push(line);
    else signature.push(header === undefined ? line.slice(1) : line.slice(header.length));
  }
  if (signature.length === 0) return undefined;
  const rest = end < 0 ? '' : text.slice(end);
  return { payload: Buffer.from(kept.join('\n') + rest, 'latin1'), signature: `${signature.join('\n')}\n` };
}

/** The signature of a tag is at the end of its message. */
function signedTag(text: string): SignedObject | undefined {
  const at = Math.max(...armors.map((armor) => text.lastIndexOf(`\n${armor}`)));
  if (at < 0) return undefined;
  return { payload: Buffer.from(text.slice(0, at + 1), 'latin1'), signature: text.slice(at + 1) };
}
