import { createPublicKey, type KeyObject } from 'node:crypto';
import { type AsnType, BitString, fromBER, Integer, OctetString, Sequence } from 'asn1js';
import { pem } from './pem.ts';

/** A DSA private key in OpenSSL's traditional form, which Node does not write: version, p, q, g, y, x. */
export function dsaKeyToPem(key: KeyObject): string {
  const [, algorithm, privateValue] = items(read(key.export({ type: 'pkcs8', format: 'der' })));
  const [, publicValue] = items(read(createPublicKey(key).export({ type: 'spki', format: 'der' })));
  const [, parameters] = items(algorithm);
  if (!(privateValue instanceof OctetString && publicValue instanceof BitString))
    throw new Error('the DSA key is not in the form that OpenSSL writes');
  const x = read(privateValue.valueBlock.valueHexView);
  const y = read(publicValue.valueBlock.valueHexView);
  const value = [new Integer({ value: 0 }), ...items(parameters), y, x];
  return pem('DSA PRIVATE KEY', new Sequence({ value }).toBER());
}

const read = (der: Uint8Array): AsnType => fromBER(der).result;
const items = (block: unknown): AsnType[] => (block instanceof Sequence ? block.valueBlock.value : []);
