import { randomUUID } from 'node:crypto';
import { formatTime, numberAt, textAt } from '@fairlead/apimachinery';
import { RE2JS } from 're2js';
import { type Account, type AccountToken, accountKeys, accountNamed, parseBool } from '../accounts/account.ts';
import { canIRequest } from '../accounts/can-i.ts';
import { textClaim, timeClaim, userIdentifier } from '../rbac/claims.ts';
import { denialMessage } from '../rbac/enforcer.ts';
import type { CallContext, Calls } from '../rpc/call.ts';
import { invalidArgument, notFound, permissionDenied, RpcError } from '../rpc/rpc-error.ts';
import type { Server } from '../server.ts';
import { issuer } from '../session/verify-token.ts';

const defaultPasswordPattern = '^.{8,32}$';

export const accountCalls = (server: Server): Calls => {
  const { state } = server;

  const isSelf = ({ claims }: CallContext, name: string): boolean =>
    claims !== undefined && userIdentifier(claims) === name && textClaim(claims, 'iss') === issuer;

  /** An account always has access to itself. */
  const requireAccess = (context: CallContext, action: string, name: string): void => {
    const request = { resource: 'accounts', action, object: name };
    if (isSelf(context, name) || server.allows(context, request)) return;
    throw permissionDenied(denialMessage(context.caller, request));
  };

  const saveTokens = async (name: string, tokens: readonly AccountToken[]): Promise<void> => {
    const text = tokens.length === 0 ? undefined : JSON.stringify(tokens);
    await state.changeSecret({ [accountKeys(name).tokens]: text });
  };

  return {
    'Account.CanI': (context, request) => {
      const asked = canIRequest(
        {
          resource: textAt(request, 'resource'),
          action: textAt(request, 'action'),
          object: textAt(request, 'subresource'),
        },
        {
          namespace: state.namespace,
          enforceRollback: parseBool(state.settings['server.rbac.rollback.enforce.enable'] ?? '') ?? false,
        },
      );
      return { value: server.allows(context, asked) ? 'yes' : 'no' };
    },

    'Account.ListAccounts': (context) => {
      const items = [...state.accounts]
        .filter(
          ([name]) =>
            isSelf(context, name) || server.allows(context, { resource: 'accounts', action: 'get', object: name }),
        )
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, account]) => accountMessage(name, account));
      return { items };
    },

    'Account.GetAccount': (context, request) => {
      const name = textAt(request, 'name');
      requireAccess(context, 'get', name);
      return accountMessage(name, accountNamed(state.accounts, name));
    },

    'Account.UpdatePassword': async (context, request) => {
      const self = context.claims ? userIdentifier(context.claims) : '';
      const name = textAt(request, 'name') || self;
      const isLocal = context.claims !== undefined && textClaim(context.claims, 'iss') === issuer;
      if (name !== self || !isLocal) {
        const access = { resource: 'accounts', action: 'update', object: name };
        if (!server.allows(context, access)) throw permissionDenied(denialMessage(context.caller, access));
        if (!isLocal) requireRecentSignIn(context, server.state.clock.now());
      }
      if (isLocal) await requirePassword(server, self, textAt(request, 'currentPassword'));
      const password = textAt(request, 'newPassword');
      const pattern = state.settings['passwordPattern'] || defaultPasswordPattern;
      if (!RE2JS.compile(pattern).matcher(password).find()) {
        throw new RpcError('Unknown', `new password does not match the following expression: ${pattern}`);
      }
      accountNamed(state.accounts, name);
      const keys = accountKeys(name);
      await state.changeSecret({
        [keys.password]: await server.passwords.hash(password),
        [keys.passwordMtime]: formatTime(state.clock.now()),
      });
      return {};
    },

    'Account.CreateToken': async (context, request) => {
      const name = textAt(request, 'name');
      requireAccess(context, 'update', name);
      const id = textAt(request, 'id') || randomUUID();
      const account = accountNamed(state.accounts, name);
      if (account.tokens.some((token) => token.id === id)) {
        throw unknown(`account already has token with id '${id}'`);
      }
      if (!account.capabilities.includes('apiKey')) {
        throw unknown(`account '${name}' does not have apiKey capability`);
      }
      const seconds = numberAt(request, 'expiresIn');
      const iat = Math.floor(state.clock.now() / 1_000);
      const token = server.issueToken({ subject: `${name}:apiKey`, seconds, id });
      await saveTokens(name, [...account.tokens, { id, iat, ...(seconds > 0 ? { exp: iat + seconds } : {}) }]);
      return { token };
    },

    'Account.DeleteToken': async (context, request) => {
      const [name, id] = [textAt(request, 'name'), textAt(request, 'id')];
      requireAccess(context, 'update', name);
      const { tokens } = accountNamed(state.accounts, name);
      if (!tokens.some((token) => token.id === id)) throw notFound(`token with id '${id}' does not exist`);
      await saveTokens(
        name,
        tokens.filter((token) => token.id !== id),
      );
      return {};
    },
  };
};

const unknown = (problem: string): RpcError =>
  new RpcError('Unknown', `failed to update account with new token: ${problem}`);

async function requirePassword(server: Server, name: string, password: string): Promise<void> {
  const account = server.state.accounts.get(name);
  const isRight =
    account && account.passwordHash !== '' && (await server.passwords.matches(password, account.passwordHash));
  if (!isRight) throw invalidArgument('current password does not match');
}

/** Who signed in elsewhere has no password here: a recent sign-in takes its place. */
function requireRecentSignIn({ claims }: CallContext, now: number): void {
  const issued = claims ? timeClaim(claims, 'iat') : undefined;
  if (issued && 'seconds' in issued && now - issued.seconds * 1_000 < 5 * 60_000) return;
  throw new RpcError('Unknown', "SSO token is too old. Please use 'argocd relogin' to get a new token");
}

function accountMessage(name: string, { enabled, capabilities, tokens }: Account): object {
  const issued = [...tokens].sort((a, b) => b.iat - a.iat);
  return {
    name,
    enabled,
    capabilities,
    tokens: issued.map(({ id, iat, exp }) => ({ id, issuedAt: iat, ...(exp === undefined ? {} : { expiresAt: exp }) })),
  };
}
