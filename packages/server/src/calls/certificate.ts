import { isIPv6 } from 'node:net';
import { type JsonObject, objectsAt, pathMatcher, textAt } from '@fairlead/apimachinery';
import { type KnownHost, readKnownHosts, writeKnownHosts } from '../certificates/known-hosts.ts';
import { checkHostKey, fingerprintOf } from '../certificates/ssh-host-key.ts';
import { certificateFacts, readCertificates } from '../certificates/tls-certificate.ts';
import type { Calls } from '../rpc/call.ts';
import { RpcError } from '../rpc/rpc-error.ts';
import type { Server } from '../server.ts';

const knownHostsName = 'argocd-ssh-known-hosts-cm';
const knownHostsKey = 'ssh_known_hosts';
const certificatesName = 'argocd-tls-certs-cm';

type Data = Readonly<Record<string, string>>;

/** SSH host keys and TLS certificates of repository servers, in ConfigMaps. */
export const certificateCalls = (server: Server): Calls => {
  const { state } = server;
  const knownHosts = (): KnownHost[] => readKnownHosts(state.configMap(knownHostsName)[knownHostsKey] ?? '');
  const certificates = (): Data => state.configMap(certificatesName);
  const changeHosts = (change: (hosts: readonly KnownHost[]) => readonly KnownHost[]): Promise<void> =>
    state.changeConfigMap(knownHostsName, (data) => ({
      [knownHostsKey]: writeKnownHosts(change(readKnownHosts(data[knownHostsKey] ?? ''))),
    }));

  return {
    'Certificate.ListCertificates': (context, request) => {
      server.require(context, 'certificates', 'get', '');
      const { isKnownHost, isCertificate } = selection(request);
      const hosts = knownHosts()
        .filter(isKnownHost)
        .map(({ host, subType, data }) => ({
          serverName: host,
          certType: 'ssh',
          certSubType: subType,
          certInfo: `SHA256:${fingerprintOf(data)}`,
        }));
      const tls = Object.entries(certificates())
        .filter(([name]) => isCertificate(name))
        .flatMap(([name, text]) => readCertificates(text).map((pem) => describe(name, pem)));
      return { items: [...hosts, ...tls] };
    },

    'Certificate.CreateCertificate': async (context, request) => {
      server.require(context, 'certificates', 'create', '');
      const known: Known = { hosts: knownHosts(), tls: certificates(), upsert: request['upsert'] === true };
      const added = objectsAt(request['certificates'], 'items').map((item) => add(item, known));
      const hosts = added.flatMap(({ host }) => host ?? []);
      if (hosts.length > 0) await changeHosts((before) => withHosts(before, hosts));
      const tls = Object.assign({}, ...added.map((one) => one.tls));
      if (Object.keys(tls).length > 0) await state.changeConfigMap(certificatesName, () => tls);
      const created = added.flatMap(({ items }) => items);
      return { items: created };
    },

    'Certificate.DeleteCertificate': async (context, request) => {
      server.require(context, 'certificates', 'delete', '');
      const { isKnownHost, isCertificate } = selection(request);
      const removed = knownHosts().filter(isKnownHost);
      if (removed.length > 0) await changeHosts((before) => before.filter((one) => !isKnownHost(one)));
      const tls = Object.entries(certificates()).filter(([name]) => isCertificate(name));
      if (tls.length > 0)
        await state.changeConfigMap(certificatesName, () => Object.fromEntries(tls.map(([name]) => [name, undefined])));
      return {
        items: [
          ...removed.map(({ host, subType, data }) => ({
            serverName: host,
            certType: 'ssh',
            certSubType: subType,
            certData: bytes(data),
          })),
          ...tls.flatMap(([name, text]) => readCertificates(text).map((pem) => tlsItem(name, pem))),
        ],
      };
    },
  };
};

const bytes = (text: string): string => Buffer.from(text).toString('base64');

const tlsItem = (serverName: string, pem: string): Item => ({ serverName, certType: 'https', certData: bytes(pem) });

interface Item {
  readonly serverName: string;
  readonly certType: 'ssh' | 'https';
  readonly certSubType?: string;
  readonly certData: string;
  readonly certInfo?: string;
}

/** A certificate that cannot be parsed is listed with the reason. */
function describe(serverName: string, pem: string): object {
  try {
    const { subject, algorithm } = certificateFacts(pem);
    return { serverName, certType: 'https', certSubType: algorithm, certInfo: subject };
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    return { serverName, certType: 'https', certSubType: 'invalid', certInfo: error.message };
  }
}

/** Which entries a request is about. A type or subtype that is empty or `*` is any. */
function selection(request: JsonObject): {
  isKnownHost(entry: KnownHost): boolean;
  isCertificate(name: string): boolean;
} {
  const [type, subType] = [textAt(request, 'certType'), textAt(request, 'certSubType')];
  const isHost = hostMatcher(textAt(request, 'hostNamePattern'));
  const isAny = (text: string): boolean => text === '' || text === '*';
  return {
    isKnownHost: (entry) =>
      (isAny(type) || type === 'ssh') && isHost(entry.host) && (isAny(subType) || subType === entry.subType),
    isCertificate: (name) => (isAny(type) || type === 'https' || type === 'tls') && isHost(name),
  };
}

/** `[host]:22` is meant as it is written. A pattern that is not valid fits nothing. */
function hostMatcher(pattern: string): (name: string) => boolean {
  if (pattern === '') return () => true;
  try {
    return pathMatcher(pattern.replace(/[[\]]/gu, '\\$&'));
  } catch {
    return () => false;
  }
}

interface Known {
  readonly hosts: readonly KnownHost[];
  readonly tls: Data;
  readonly upsert: boolean;
}

/** What an item of a request adds; nothing if it is known already. */
interface Added {
  readonly items: readonly Item[];
  readonly host?: KnownHost;
  readonly tls?: Data;
}

function add(item: unknown, known: Known): Added {
  const [serverName, certType] = [textAt(item, 'serverName'), textAt(item, 'certType')];
  const data = Buffer.from(textAt(item, 'certData'), 'base64').toString();
  if (certType === 'ssh') return addHostKey(serverName, textAt(item, 'certSubType'), data, known);
  if (certType === 'https') return addCertificate(serverName, data, known);
  throw new RpcError('Unknown', `unknown certificate type: ${certType}`);
}

const isSameHost = (one: KnownHost, other: KnownHost): boolean =>
  one.host === other.host && one.subType === other.subType;

/** New hosts at the end, others in their place. */
function withHosts(before: readonly KnownHost[], added: readonly KnownHost[]): KnownHost[] {
  const hosts = [...before];
  for (const host of added) {
    const at = hosts.findIndex((one) => isSameHost(one, host));
    hosts.splice(at < 0 ? hosts.length : at, 1, host);
  }
  return hosts;
}

function addHostKey(serverName: string, subType: string, data: string, { hosts, upsert }: Known): Added {
  checkHostName(/^\[(.*)\]:\d+$/u.exec(serverName)?.[1] ?? serverName);
  const host = { host: serverName, subType, data };
  const found = hosts.find((one) => isSameHost(one, host));
  if (found && found.data !== data && !upsert) {
    const key = `key for '${serverName}' (subtype: '${subType}')`;
    throw new RpcError('Unknown', `${key} already exists, and upsert was not specified`);
  }
  checkHostKey(subType, data);
  if (found?.data === data) return { items: [] };
  const certInfo = fingerprintOf(data);
  return { items: [{ serverName, certType: 'ssh', certSubType: subType, certData: bytes(data), certInfo }], host };
}

function addCertificate(serverName: string, data: string, { tls, upsert }: Known): Added {
  checkHostName(serverName);
  const found = tls[serverName];
  if (found !== undefined && found !== data && !upsert) {
    const certificate = `TLS certificate for server '${serverName}'`;
    throw new RpcError('Unknown', `${certificate} already exists, and upsert was not specified`);
  }
  const certificates = readCertificates(data);
  if (certificates.length === 0) throw new RpcError('Unknown', 'no valid PEM data received');
  for (const pem of certificates) certificateFacts(pem);
  if (found === data) return { items: [] };
  return { items: certificates.map((pem) => tlsItem(serverName, pem)), tls: { [serverName]: data } };
}

const hostName =
  /^(?:[a-z0-9]|[a-z0-9_][a-z0-9-_]{0,61}[a-z0-9_])(?:\.(?:[a-z0-9]|[a-z0-9_][a-z0-9-_]{0,61}[a-z0-9]))*\.?$/iu;

function checkHostName(name: string): void {
  if (!(name.length <= 253 && hostName.test(name)) && !isIPv6(name))
    throw new RpcError('Unknown', `invalid hostname in request: ${name}`);
}
