import { createPrivateKey, type KeyObject, sign } from 'node:crypto';

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A JSON Web Token signed with RS256. Throws if the key is not an RSA private key in PEM; the message does not contain the key. */
export function signedJwt(claims: object, privateKey: string, header: object = {}): string {
  const content = `${encoded({ alg: 'RS256', typ: 'JWT', ...header })}.${encoded(claims)}`;
  return `${content}.${sign('RSA-SHA256', Buffer.from(content), rsaKey(privateKey)).toString('base64url')}`;
}

function rsaKey(pem: string): KeyObject {
  let key: KeyObject | undefined;
  try {
    key = createPrivateKey(pem);
  } catch {
    // The message of OpenSSL does not help: the one below states what is expected.
  }
  if (key?.asymmetricKeyType !== 'rsa') throw new Error('is not an RSA private key in PEM form');
  return key;
}
