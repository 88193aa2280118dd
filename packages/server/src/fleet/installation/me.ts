import { textAt } from '@fairlead/apimachinery';
import { groupsOf, textClaim, userIdentifier } from '../../rbac/claims.ts';
import { rbacResources } from '../../rbac/vocabulary.ts';
import type { CallContext, Calls } from '../../rpc/call.ts';
import type { Server } from '../../server.ts';
import type { Me } from '../api/installation-shapes.ts';

export interface ServerFacts {
  readonly version: string;
  /** Whether its cluster is the embedded one. */
  readonly embedded: boolean;
}

/** The caller, its rights, and what a web application needs to know before anybody has signed in. */
export async function meOf(server: Server, facts: ServerFacts, settingsCall: Calls, context: CallContext): Promise<Me> {
  const { claims } = context;
  const loggedIn = claims !== undefined;
  const isOpen = server.options.disableAuth || server.isOn('users.anonymous.enabled');
  return {
    loggedIn,
    username: claims ? userNameOf(claims) : '',
    groups: claims ? [...groupsOf(claims, server.state.enforcer.scopes)] : [],
    ...(claims ? { issuer: textClaim(claims, 'iss') } : {}),
    can: loggedIn || isOpen ? rightsOf(server, context) : {},
    settings: await settingsOf(server, facts, settingsCall, context, isOpen),
  };
}

const userNameOf = (claims: NonNullable<CallContext['claims']>): string =>
  textClaim(claims, 'email') || textClaim(claims, 'preferred_username') || userIdentifier(claims);

/** A right in some project: whether it holds for one object is decided when it is used. */
function rightsOf(server: Server, context: CallContext): Record<string, boolean> {
  const projects = server.state.projects.list().map(({ metadata }) => metadata.name ?? '');
  const can: Record<string, boolean> = {};
  for (const [resource, { actions, inProject }] of Object.entries(rbacResources)) {
    for (const action of actions) {
      const objects = inProject
        ? ['*/*', ...projects.map((name) => `${name}/*`)]
        : ['*', ...(resource === 'projects' ? projects : [])];
      can[`${resource}:${action}`] = objects.some((object) => server.allows(context, { resource, action, object }));
    }
  }
  return can;
}

async function settingsOf(
  server: Server,
  { version, embedded }: ServerFacts,
  settingsCall: Calls,
  context: CallContext,
  isOpen: boolean,
): Promise<Me['settings']> {
  const known = (await settingsCall['Settings.Get']?.(context, {})) ?? {};
  const { settings } = server.state;
  const text = (field: string, ...path: string[]): string => textAt(known, field, ...path);
  const isOn = (field: string): boolean => Reflect.get(known, field) === true;
  const hasSso = 'oidcConfig' in known || 'dexConfig' in known;
  const namespace = text('controllerNamespace');
  return {
    ...optional('url', text('url')),
    version,
    ...optional('namespace', namespace),
    cluster: embedded ? 'embedded' : 'kubernetes',
    anonymous: isOpen,
    authDisabled: server.options.disableAuth,
    execEnabled: isOn('execEnabled'),
    badgeEnabled: isOn('statusBadgeEnabled'),
    passwordSignIn: !isOn('userLoginsDisabled'),
    ...(hasSso ? { ssoPath: '/auth/login', ssoName: text('oidcConfig', 'name') } : {}),
    ...(text('uiBannerContent') === ''
      ? {}
      : {
          banner: {
            content: text('uiBannerContent'),
            permanent: isOn('uiBannerPermanent'),
            ...optional('url', text('uiBannerURL')),
            ...optional('position', text('uiBannerPosition')),
          },
        }),
    help: {
      ...optional('chatUrl', text('help', 'chatUrl')),
      ...optional('chatText', text('help', 'chatText')),
      downloads: Object.fromEntries(
        Object.entries(settings).flatMap(([key, url]) =>
          key.startsWith('help.download.') ? [[key.slice('help.download.'.length), url]] : [],
        ),
      ),
    },
    ...optional('cssUrl', text('uiCssURL')),
    ...optional('loginButtonText', text('uiLoginButtonText')),
    applicationsInAnyNamespace: isOn('appsInAnyNamespaceEnabled'),
  };
}

const optional = <K extends string>(key: K, value: string): { readonly [P in K]?: string } => {
  const field: { [P in K]?: string } = {};
  if (value !== '') field[key] = value;
  return field;
};
