import { type LookupAddress, lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { promisify } from 'node:util';
import type { AllowedNetworks } from '@fairlead/apimachinery';
import { SourceError } from '../source-error.ts';

/**
 * The error for a host whose address may not be connected to. It does not contain the address: that would reveal what a name resolves to.
 */
export const addressRefused = (host: string): SourceError =>
  new SourceError(
    'AddressRefused',
    `${host}: its address is not permitted for this project: an administrator can permit it with the annotation fairlead.dev/allowed-networks on the AppProject`,
  );

/** Refuses a literal address; names are checked when they are resolved. */
export function checkLiteral(host: string, networks: AllowedNetworks | undefined): void {
  const bare = host.replace(/^\[|\]$/gu, '');
  if (networks && isIP(bare) !== 0 && !networks.permits(bare)) throw addressRefused(host);
}

/** Resolves all addresses of a name. */
export type Resolve = (host: string) => Promise<readonly LookupAddress[]>;

const lookupAll = promisify(lookup);
const resolveName: Resolve = (host) => lookupAll(host, { all: true });

/** The addresses of a host. A single forbidden one refuses all: the next response could list it first. */
export async function permittedAddresses(
  host: string,
  networks: AllowedNetworks,
  resolve: Resolve = resolveName,
): Promise<string[]> {
  checkLiteral(host, networks);
  const bare = host.replace(/^\[|\]$/gu, '');
  if (isIP(bare) !== 0) return [bare];
  const addresses = await resolve(host).catch((error: Error) => {
    throw new SourceError('RepositoryUnavailable', `${host}: ${error.message}`);
  });
  if (!addresses.every(({ address }) => networks.permits(address))) throw addressRefused(host);
  return addresses.map(({ address }) => address);
}

/** Resolves names for a connection: the checked address is the one that is used. */
export const checkedLookup =
  (networks: AllowedNetworks): LookupFunction =>
  (host, options, done) => {
    lookup(host, { ...options, all: true }, (error: Error | null, addresses: LookupAddress[]) => {
      if (error) return done(error, '', 0);
      if (!addresses.every(({ address }) => networks.permits(address))) return done(addressRefused(host), '', 0);
      const [first] = addresses;
      if (options.all) done(null, addresses);
      else done(null, first?.address ?? '', first?.family);
    });
  };
