import type { ServerCall } from '../wire/grpc-server.ts';
import { ProtoWriter, readProto } from '../wire/protobuf.ts';

export interface LogLine {
  readonly data: Buffer;
  readonly eof: boolean;
  readonly error: string;
}

/** Lines of a log as an agent sends them, until it says that it is done. */
export function receiveLogs(call: ServerCall, onLine: (uuid: string, line: LogLine) => void): void {
  let received = 0;
  call.onMessage = (bytes) => {
    let uuid = '';
    let data: Buffer = Buffer.alloc(0);
    let eof = false;
    let error = '';
    for (const { field, value } of readProto(bytes)) {
      if (field === 3) eof = value === 1;
      else if (typeof value === 'number') continue;
      else if (field === 1) uuid = value.toString();
      else if (field === 2) data = value;
      else if (field === 4) error = value.toString();
    }
    received += 1;
    onLine(uuid, { data, eof, error });
    if (!eof && !error) return;
    call.send(
      new ProtoWriter()
        .string(1, uuid)
        .number(2, error ? 500 : 200)
        .number(4, received)
        .finish(),
    );
    call.end();
  };
}
