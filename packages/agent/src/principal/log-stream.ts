import { LogStreamDataSchema, LogStreamResponseSchema } from '../wire/gen/logstream_pb.ts';
import type { ServerCall } from '../wire/grpc-server.ts';
import { decodeMessage, encodeMessage } from '../wire/rpc.ts';

export interface LogLine {
  readonly data: Uint8Array;
  readonly eof: boolean;
  readonly error: string;
}

/** Receives the lines of a log until the agent sends the end or an error. */
export function receiveLogs(call: ServerCall, onLine: (uuid: string, line: LogLine) => void): void {
  let received = 0;
  call.onMessage = (bytes) => {
    const { requestUuid, data, eof, error } = decodeMessage(LogStreamDataSchema, bytes);
    received += 1;
    onLine(requestUuid, { data, eof, error });
    if (!eof && !error) return;
    const status = error ? 500 : 200;
    call.send(encodeMessage(LogStreamResponseSchema, { requestUuid, status, linesReceived: received }));
    call.end();
  };
}
