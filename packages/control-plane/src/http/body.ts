import { apiError } from '@fairlead/apimachinery';
import type { Incoming } from './wire.ts';

/** The same limit as in kube-apiserver. */
const maximumBytes = 3 * 1024 * 1024;

const tooLarge = () => apiError(413, 'RequestEntityTooLarge', `Request entity too large: limit is ${maximumBytes}`);

/** The whole body. One that is too large is rejected without being buffered. */
export function readBody(request: Incoming): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const declared = Number(request.headers['content-length'] ?? 0);
    if (declared > maximumBytes) {
      request.resume();
      return reject(tooLarge());
    }
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= maximumBytes) chunks.push(chunk);
    });
    request.on('end', () =>
      size > maximumBytes ? reject(tooLarge()) : resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)),
    );
    request.on('error', reject);
    request.on('aborted', () =>
      reject(apiError(400, 'BadRequest', 'the client went away before its request was complete')),
    );
  });
}
