import { numberAt, objectsAt, parseTime, textAt } from '@fairlead/apimachinery';
import { notFound, RpcError } from '../rpc/rpc-error.ts';

/** What an account may sign in with: a password, or tokens that were issued for it. */
export type Capability = 'login' | 'apiKey';

/** A token that was issued for an account. Only its id is kept; times are in seconds. */
export interface AccountToken {
  readonly id: string;
  readonly iat: number;
  readonly exp?: number;
}

export interface Account {
  readonly passwordHash: string;
  /** When the password was changed, in milliseconds; older tokens are not accepted. */
  readonly passwordChangedAt?: number;
  readonly enabled: boolean;
  readonly capabilities: readonly Capability[];
  readonly tokens: readonly AccountToken[];
}

/** The data of `argocd-cm` and of `argocd-secret`, as text. */
export interface AccountData {
  readonly settings: Readonly<Record<string, string>>;
  readonly secret: Readonly<Record<string, string>>;
}

export const adminName = 'admin';

/** Where the fields of an account are: those of the administrator have separate names. */
export function accountKeys(name: string) {
  const prefix = name === adminName ? 'admin' : `accounts.${name}`;
  return {
    password: `${prefix}.password`,
    passwordMtime: `${prefix}.passwordMtime`,
    tokens: `${prefix}.tokens`,
    enabled: `${prefix}.enabled`,
  };
}

/** All local accounts. Throws an RpcError for a field that cannot be read. */
export function readAccounts({ settings, secret }: AccountData): ReadonlyMap<string, Account> {
  const declared = new Map<string, { capabilities: Capability[]; enabled: boolean }>([
    [adminName, { capabilities: ['login'], enabled: readEnabled(settings['admin.enabled'], true) }],
  ]);
  for (const [key, value] of Object.entries(settings).sort(([a], [b]) => (a < b ? -1 : 1))) {
    const [prefix, name, suffix, ...more] = key.split('.');
    if (prefix !== 'accounts' || name === undefined || more.length > 0) continue;
    const account = declared.get(name) ?? { capabilities: [], enabled: true };
    declared.set(name, account);
    if (suffix === undefined) account.capabilities.push(...readCapabilities(value));
    else if (suffix === 'enabled') account.enabled = readEnabled(value);
  }
  return new Map([...declared].map(([name, account]) => [name, { ...account, ...readSecrets(name, secret) }]));
}

export function accountNamed(accounts: ReadonlyMap<string, Account>, name: string): Account {
  const account = accounts.get(name);
  if (!account) throw notFound(`account '${name}' does not exist`);
  return account;
}

const readCapabilities = (text: string): Capability[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part === 'login' || part === 'apiKey');

const booleans: Readonly<Record<string, boolean>> = {
  ...Object.fromEntries(['1', 't', 'T', 'TRUE', 'true', 'True'].map((text) => [text, true])),
  ...Object.fromEntries(['0', 'f', 'F', 'FALSE', 'false', 'False'].map((text) => [text, false])),
};

/** Go's `strconv.ParseBool`. */
export const parseBool = (text: string): boolean | undefined =>
  Object.hasOwn(booleans, text) ? booleans[text] : undefined;

function readEnabled(text: string | undefined, otherwise?: boolean): boolean {
  const value = text === undefined ? true : (parseBool(text) ?? otherwise);
  if (value === undefined) {
    throw new RpcError('Unknown', `strconv.ParseBool: parsing ${JSON.stringify(text)}: invalid syntax`);
  }
  return value;
}

function readSecrets(
  name: string,
  secret: AccountData['secret'],
): Pick<Account, 'passwordHash' | 'passwordChangedAt' | 'tokens'> {
  const keys = accountKeys(name);
  const changedAt = parseTime(secret[keys.passwordMtime] ?? '');
  return {
    passwordHash: secret[keys.password] ?? '',
    ...(changedAt === undefined ? {} : { passwordChangedAt: changedAt }),
    tokens: readTokens(secret[keys.tokens] ?? ''),
  };
}

/** A list that cannot be read has no tokens: none of them is accepted. */
function readTokens(text: string): AccountToken[] {
  let tokens: unknown;
  try {
    tokens = JSON.parse(text || '[]');
  } catch {
    return [];
  }
  return objectsAt({ tokens }, 'tokens').map((token) => {
    const exp = numberAt(token, 'exp');
    return { id: textAt(token, 'id'), iat: numberAt(token, 'iat'), ...(exp === 0 ? {} : { exp }) };
  });
}
