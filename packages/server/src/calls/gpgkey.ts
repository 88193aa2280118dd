import { textAt } from '@fairlead/apimachinery';
import { type ArmoredKey, type Gpg, InvalidKeys } from '@fairlead/source';
import type { Calls } from '../rpc/call.ts';
import { RpcError } from '../rpc/rpc-error.ts';
import type { Server } from '../server.ts';

const configMapName = 'argocd-gpg-keys-cm';
const maxKnown = 1_000;

/** Public keys that commits may be signed with, in a ConfigMap. What they are is read by `gpg`. */
export const gpgKeyCalls = (server: Server): Calls => {
  const { state } = server;
  const gpg = (): Pick<Gpg, 'readKeys'> => {
    if (!server.options.gpg) throw new RpcError('Unimplemented', 'this server was started without gpg');
    return server.options.gpg;
  };
  /** What is known of the text of an entry: keys do not change. */
  const known = new Map<string, Promise<ArmoredKey>>();
  const keyOf = (id: string, text: string): Promise<ArmoredKey> => {
    const found = known.get(text) ?? readEntry(gpg(), id, text);
    if (known.size >= maxKnown) known.clear();
    known.set(text, found);
    found.catch(() => known.delete(text));
    return found;
  };

  return {
    'GPGKey.List': async (context) => {
      server.require(context, 'gpgkeys', 'get', '');
      const entries = Object.entries(state.configMap(configMapName)).sort(([a], [b]) => (a < b ? -1 : 1));
      const items: object[] = [];
      for (const [id, text] of entries) items.push(describe(await keyOf(keyId(id), text)));
      return { items };
    },

    'GPGKey.Get': async (context, request) => {
      server.require(context, 'gpgkeys', 'get', '');
      const id = keyId(textAt(request, 'keyID'));
      const text = state.configMap(configMapName)[id];
      if (text === undefined) throw new RpcError('Unknown', `no such key: ${id}`);
      return { ...describe(await keyOf(id, text)), keyData: text };
    },

    'GPGKey.Create': async (context, request) => {
      server.require(context, 'gpgkeys', 'create', '');
      const text = textAt(request['publickey'], 'keyData');
      if (text.trim() === '') throw new RpcError('Unknown', 'submitted key data is empty');
      const keys = await explained('error validating PGP keys from input', () => gpg().readKeys(text));
      const stored = state.configMap(configMapName);
      const added = keys.filter(({ id }) => stored[id] === undefined);
      const skipped = keys.filter(({ id }) => stored[id] !== undefined).map(({ id }) => id);
      if (added.length > 0)
        await state.changeConfigMap(configMapName, () =>
          Object.fromEntries(added.map(({ id, armored }) => [id, armored])),
        );
      return { created: { items: added.map((key) => ({ ...describe(key), keyData: key.armored })) }, skipped };
    },

    'GPGKey.Delete': async (context, request) => {
      server.require(context, 'gpgkeys', 'delete', '');
      const id = textAt(request, 'keyID');
      if (!Object.hasOwn(state.configMap(configMapName), id))
        throw new RpcError('Unknown', `no such key configured: ${id}`);
      await state.changeConfigMap(configMapName, () => ({ [id]: undefined }));
      return {};
    },
  };
};

const describe = ({ id, fingerprint, owner, trust, subType }: ArmoredKey): object => ({
  keyID: id,
  fingerprint,
  owner,
  trust,
  subType,
});

/** The last 16 digits of a fingerprint, or an id as it is. */
function keyId(text: string): string {
  if (/^[\da-f]{40}$/iu.test(text)) return text.slice(24);
  if (/^[\da-f]{16}$/iu.test(text)) return text;
  throw new RpcError('Unknown', `'${text}' is not a valid GnuPG key ID`);
}

/** Each entry has one key, under its id. */
async function readEntry(gpg: Pick<Gpg, 'readKeys'>, id: string, text: string): Promise<ArmoredKey> {
  const [key, ...others] = await explained(`error parsing GPG key for entry "${id}"`, () => gpg.readKeys(text));
  if (!key) throw new RpcError('Unknown', 'could not find the GPG key');
  if (others.length > 0) throw new RpcError('Unknown', 'more than one key found in input data');
  if (key.id === id.toUpperCase()) return key;
  throw new RpcError('Unknown', `key parsed for entry with key ID '${id}' had different key ID '${key.id}'`);
}

async function explained<T>(what: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof InvalidKeys)) throw error;
    const command = 'gpg --no-permission-warning --logger-fd 1 --import -';
    throw new RpcError('Unknown', `${what}: \`${command} failed exit status ${error.exitCode}`);
  }
}
