import type { Duplex } from 'node:stream';
import type { Dispatcher } from 'undici';

/** The response to a request for another protocol: the connection, or why the server refuses it. */
export type UpgradeAnswer =
  | { readonly headers: Dispatcher.ResponseData['headers']; readonly socket: Duplex }
  | { readonly status: number; readonly text: string };

/** Of a refusal, more is not read. */
const refusalBytes = 16 * 1024;

/** Sends a request that upgrades the connection to WebSocket. A refusal of the server is an answer, not an error. */
export function requestUpgrade(
  dispatcher: Dispatcher,
  request: Pick<Dispatcher.DispatchOptions, 'origin' | 'path' | 'headers'>,
  signal?: AbortSignal,
): Promise<UpgradeAnswer> {
  return new Promise((resolve, reject) => {
    let status = 0;
    let text = '';
    dispatcher.dispatch(
      { ...request, method: 'GET', upgrade: 'websocket' },
      {
        onRequestStart: (controller) => {
          const abort = (): void => controller.abort(new Error('the request was aborted'));
          if (signal?.aborted) abort();
          else signal?.addEventListener('abort', abort, { once: true });
        },
        onRequestUpgrade: (_, __, headers, socket) => resolve({ headers, socket }),
        onResponseStart: (_, statusCode) => {
          status = statusCode;
        },
        onResponseData: (controller, chunk) => {
          text += chunk.toString();
          if (text.length > refusalBytes) controller.abort(new Error('the response is too large'));
        },
        onResponseEnd: () => resolve({ status, text }),
        onResponseError: (_, error) => reject(error),
      },
    );
  });
}
