import { RpcError } from '../rpc/rpc-error.ts';

const units: Readonly<Record<string, number>> = {
  H: 3_600_000,
  M: 60_000,
  S: 1_000,
  m: 1,
  u: 1 / 1_000,
  n: 1 / 1_000_000,
};

/** Longer than any timer of the platform. */
const forever = 2 ** 31 - 1;

/** The header `grpc-timeout` in milliseconds; undefined without one. */
export function timeoutOf(header: string | undefined): number | undefined {
  if (header === undefined) return undefined;
  const [, digits = '', unit = ''] = /^(\d{1,8})([HMSmun])$/u.exec(header) ?? [];
  const size = units[unit];
  if (size === undefined) throw new RpcError('Internal', `malformed grpc-timeout: ${JSON.stringify(header)}`);
  return Math.min(Number(digits) * size, forever);
}

export const deadlineExceeded = (): RpcError => new RpcError('DeadlineExceeded', 'context deadline exceeded');
