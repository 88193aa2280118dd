import { createHmac, timingSafeEqual } from 'node:crypto';

/** Whether two texts are equal, in constant time. */
export function sameText(a: string, b: string): boolean {
  const [x, y] = [a, b].map((text) => createHmac('sha256', 'compare').update(text).digest()) as [Buffer, Buffer];
  return timingSafeEqual(x, y);
}

/** Whether a signature, `sha256=…` or bare hexadecimal digits, matches this body. */
export function isSigned(signature: string, body: Buffer, secret: string): boolean {
  const [, algorithm = 'sha256', digest = ''] = /^(?:(sha1|sha256)=)?([0-9a-f]+)$/iu.exec(signature) ?? [];
  return digest !== '' && sameText(digest.toLowerCase(), createHmac(algorithm, secret).update(body).digest('hex'));
}
