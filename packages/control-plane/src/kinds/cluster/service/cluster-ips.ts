import { fieldError } from '@fairlead/apimachinery';
import type { Random } from '@fairlead/kube';
import { refuse } from '../../../errors.ts';
import {
  type Address,
  contains,
  formatAddress,
  formatNetwork,
  maskedBytes,
  type Network,
  parseAddress,
} from '../address.ts';
import { internalError } from '../internal-error.ts';
import { type HeldByOthers, leftToChoose } from './ranges.ts';
import { isExternalName, type ServiceSpec, sameList } from './types.ts';

const kind = { group: '', kind: 'Service' };
const toNumber = (bytes: readonly number[]): bigint => bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);

function toText(value: bigint, length: number): string {
  const bytes = Array.from({ length }, (_, at) => Number((value >> BigInt(8 * (length - 1 - at))) & 255n));
  return formatAddress({ bytes });
}

/** `clusterIP` and `clusterIPs[0]` are equal; a client may write either. */
export function alignClusterIPs(spec: ServiceSpec, old?: ServiceSpec): void {
  if (!old) {
    if (spec.clusterIP && !spec.clusterIPs?.length) spec.clusterIPs = [spec.clusterIP];
    return;
  }
  const before = old.clusterIP ?? '';
  const now = spec.clusterIP ?? '';
  if (old.clusterIPs?.length && !spec.clusterIPs?.length && before === now) spec.clusterIPs = [...old.clusterIPs];
  if (before === now || !sameList(old.clusterIPs, spec.clusterIPs)) return;
  if (before && !now) delete spec.clusterIPs;
  else spec.clusterIPs = [now];
}

/** Allocates the addresses for the families of the Service. */
export function allocateClusterIPs(
  name: string,
  spec: ServiceSpec,
  network: Network,
  taken: Pick<HeldByOthers, 'hasAddress'>,
  random: Random,
): void {
  if (isExternalName(spec) || spec.clusterIPs?.[0] === 'None') return;
  const asked = spec.clusterIPs?.[0];
  const address = asked ? claim(name, asked, spec, network, taken) : freeAddress(network, taken, random);
  if (address === undefined) {
    throw internalError(`failed to allocate a serviceIP for Service ${JSON.stringify(name)}: range is full`);
  }
  spec.clusterIP = address;
  spec.clusterIPs = [address, ...(spec.clusterIPs ?? []).slice(1)];
}

function claim(
  name: string,
  asked: string,
  spec: ServiceSpec,
  network: Network,
  taken: Pick<HeldByOthers, 'hasAddress'>,
): string {
  const address = parseAddress(asked);
  if (!address) throw internalError(`failed to parse service IP ${JSON.stringify(asked)}`);
  const problem = problemWith(address, network, taken);
  if (!problem) return asked;
  const detail = `failed to allocate IP ${asked}: ${problem}`;
  throw refuse.invalid(kind, name, [fieldError.invalid('spec.clusterIPs', spec.clusterIPs, detail)]);
}

function problemWith(address: Address, network: Network, taken: Pick<HeldByOthers, 'hasAddress'>): string | undefined {
  const asked = formatAddress(address);
  if (!contains(network, address)) return 'the provided network does not match the current range';
  const { first, last, length } = usable(network);
  const value = toNumber(address.bytes);
  if (length === 4 && (value < first || value > last)) {
    return `the provided IP (${asked}) is not in the valid range. The range of valid IPs is ${formatNetwork(network)}`;
  }
  return taken.hasAddress(asked) ? 'provided IP is already allocated' : undefined;
}

/** All except the network address and, in IPv4, the broadcast address. */
function usable(network: Network): { first: bigint; last: bigint; length: number } {
  const length = network.address.bytes.length;
  const base = toNumber(maskedBytes(network));
  const size = 1n << BigInt(length * 8 - network.prefix);
  return { first: base + 1n, last: base + size - (length === 4 ? 2n : 1n), length };
}

/** A random address of the upper part of the range, then of the lower, which is reserved for manual assignment. */
function freeAddress(network: Network, taken: Pick<HeldByOthers, 'hasAddress'>, random: Random): string | undefined {
  const { first, last, length } = usable(network);
  const size = last - first + 1n;
  const offset = BigInt(leftToChoose(Number(size > 0xffff_ffffn ? 0xffff_ffffn : size), 16, 256));
  const search = (from: bigint, to: bigint): string | undefined => {
    const count = to - from + 1n;
    if (count <= 0n) return undefined;
    const start = BigInt(Math.floor(random() * Number(count > 0xffff_ffffn ? 0xffff_ffffn : count)));
    for (let step = 0n; step < count; step += 1n) {
      const text = toText(from + ((start + step) % count), length);
      if (!taken.hasAddress(text)) return text;
    }
    return undefined;
  };
  return search(first + offset, last) ?? search(first, first + offset - 1n);
}
