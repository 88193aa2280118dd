import { createHash } from 'node:crypto';
import { readBase64 } from '@fairlead/apimachinery';
import { RpcError } from '../rpc/rpc-error.ts';

const algorithms: ReadonlySet<string> = new Set([
  'ssh-rsa',
  'ssh-dss',
  'ssh-ed25519',
  'ecdsa-sha2-nistp256',
  'ecdsa-sha2-nistp384',
  'ecdsa-sha2-nistp521',
  'sk-ecdsa-sha2-nistp256@openssh.com',
  'sk-ssh-ed25519@openssh.com',
]);

/** The SHA-256 fingerprint of a host key, without padding; empty if the key does not parse. */
export function fingerprintOf(data: string): string {
  const blob = Buffer.from(data.trim().split(/\s/u)[0] ?? '', 'base64');
  if (blob.length === 0) return '';
  return createHash('sha256').update(blob).digest('base64').replace(/=+$/u, '');
}

/** Throws unless this is the host key of a known_hosts line with that type, with the messages of Go's SSH library. */
export function checkHostKey(type: string, data: string): void {
  const encoded = data.trim().split(/\s/u)[0] ?? '';
  const read = readBase64(encoded);
  if ('problem' in read) throw refused(read.problem);
  const fields = fieldsOf(Buffer.from(encoded, 'base64'));
  const [name] = fields ?? [];
  if (!fields || name === undefined) throw refused('ssh: short read');
  const encodedType = name.toString('latin1');
  if (!algorithms.has(encodedType)) throw refused(`ssh: unknown key algorithm: ${encodedType}`);
  if (encodedType !== type) {
    const types = `human-readable type ${JSON.stringify(type)}, encoded type ${JSON.stringify(encodedType)}`;
    throw refused(`ssh: known hosts key type mismatch: ${types}`);
  }
}

const refused = (message: string): RpcError => new RpcError('Unknown', message);

/** The length-prefixed fields of a key; undefined unless they fill it. */
function fieldsOf(blob: Buffer): Buffer[] | undefined {
  const fields: Buffer[] = [];
  for (let at = 0; at < blob.length; ) {
    if (blob.length - at < 4) return undefined;
    const end = at + 4 + blob.readUInt32BE(at);
    if (end > blob.length) return undefined;
    fields.push(blob.subarray(at + 4, end));
    at = end;
  }
  return fields.length > 1 ? fields : undefined;
}
