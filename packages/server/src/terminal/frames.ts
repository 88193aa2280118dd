/** What the sender of a frame says it is (RFC 6455). */
export const opcodes = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

/** Why a connection is closed. */
export const closeCodes = { normal: 1000, goingAway: 1001, protocolError: 1002, policy: 1008, tooBig: 1009 } as const;

export interface Frame {
  readonly opcode: number;
  readonly isFinal: boolean;
  readonly payload: Buffer;
}

/** A frame of a server: it is not masked. */
export function encodeFrame(opcode: number, payload: Buffer): Buffer {
  const first = 0x80 | opcode;
  if (payload.length < 126) return Buffer.concat([Buffer.of(first, payload.length), payload]);
  if (payload.length < 65_536) {
    return Buffer.concat([Buffer.of(first, 126, payload.length >> 8, payload.length & 0xff), payload]);
  }
  const head = Buffer.alloc(10);
  head.set([first, 127]);
  head.writeBigUInt64BE(BigInt(payload.length), 2);
  return Buffer.concat([head, payload]);
}

export type Decoded =
  | { readonly frame: Frame; readonly size: number }
  /** More bytes have to come. */
  | 'incomplete'
  | { readonly refused: number };

/** The first frame of a client in some bytes. Clients mask what they send. */
export function decodeFrame(bytes: Buffer, maxPayload: number): Decoded {
  if (bytes.length < 2) return 'incomplete';
  const [first = 0, second = 0] = bytes;
  const opcode = first & 0x0f;
  const isControl = opcode >= opcodes.close;
  const short = second & 0x7f;
  const isFinal = (first & 0x80) !== 0;
  const isUnknown = (opcode > opcodes.binary && !isControl) || opcode > opcodes.pong;
  if ((first & 0x70) !== 0 || (second & 0x80) === 0 || isUnknown || (isControl && (short > 125 || !isFinal))) {
    return { refused: closeCodes.protocolError };
  }
  const extended = short === 126 ? 2 : short === 127 ? 8 : 0;
  const start = 2 + extended + 4;
  if (bytes.length < start) return 'incomplete';
  const length = extended === 0 ? short : extended === 2 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
  if (length > maxPayload) return { refused: closeCodes.tooBig };
  if (bytes.length < start + length) return 'incomplete';
  const mask = bytes.subarray(start - 4, start);
  const payload = Buffer.from(bytes.subarray(start, start + length));
  for (let i = 0; i < payload.length; i++) payload[i] = (payload[i] ?? 0) ^ (mask[i % 4] ?? 0);
  return { frame: { opcode, isFinal, payload }, size: start + length };
}
