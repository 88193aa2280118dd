import { type Json, objectAt, stringsAt, textAt } from '@fairlead/apimachinery';
import { readYaml } from '@fairlead/render/go-yaml';
import type { Calls } from '../rpc/call.ts';
import type { Server } from '../server.ts';
import { resourceOverrides } from '../settings/resource-overrides.ts';

export const settingsCalls = (server: Server): Calls => ({
  'Settings.Get': ({ claims }) => {
    const { settings, accounts, namespace } = server.state;
    const { options } = server;
    const isSignedIn = claims !== undefined || options.disableAuth;
    const login = [...accounts.values()].some(({ enabled, capabilities }) => enabled && capabilities.includes('login'));
    return {
      url: settings['url'],
      additionalUrls: yamlList(settings['additionalUrls']),
      appLabelKey: settings['application.instanceLabelKey'] || 'app.kubernetes.io/instance',
      statusBadgeEnabled: server.isOn('statusbadge.enabled'),
      statusBadgeRootUrl: settings['statusbadge.url'],
      kustomizeOptions: { BuildOptions: settings['kustomize.buildOptions'] ?? '' },
      googleAnalytics: {
        trackingID: settings['ga.trackingid'],
        anonymizeUsers: server.isOn('ga.anonymizeusers', true),
      },
      help: {
        chatUrl: settings['help.chatUrl'],
        chatText: settings['help.chatUrl'] ? settings['help.chatText'] || 'Chat now!' : settings['help.chatText'],
        binaryUrls: binaryUrls(settings),
      },
      userLoginsDisabled: !login,
      uiCssURL: settings['ui.cssurl'],
      uiLoginButtonText: settings['ui.loginButtonText'],
      trackingMethod: settings['application.resourceTrackingMethod'] || 'annotation',
      installationID: settings['installationID'],
      execEnabled: server.isOn('exec.enabled'),
      appsInAnyNamespaceEnabled: (options.applicationNamespaces ?? []).length > 0,
      impersonationEnabled: server.isOn('application.sync.impersonation.enabled'),
      hydratorEnabled: options.hydratorEnabled ?? false,
      syncWithReplaceAllowed: options.replaceAllowed ?? true,
      resourceViewEnabled: !server.isOn('ui.view.resources.disabled'),
      ...(isSignedIn
        ? {
            uiBannerContent: settings['ui.bannercontent'],
            uiBannerURL: settings['ui.bannerurl'],
            uiBannerPermanent: server.isOn('ui.bannerpermanent'),
            uiBannerPosition: settings['ui.bannerposition'],
            controllerNamespace: namespace,
            resourceOverrides: resourceOverrides(settings),
          }
        : {}),
      ...(claims ? { passwordPattern: settings['passwordPattern'] || '^.{8,32}$' } : {}),
      ...identityProvider(settings),
    };
  },

  'Settings.GetPlugins': () => ({}),
});

function identityProvider(settings: Readonly<Record<string, string>>): object {
  const config = objectAt({ config: readOrNull(settings['oidc.config']) }, 'config');
  const dex = objectAt({ config: readOrNull(settings['dex.config']) }, 'config');
  return {
    ...(dex ? { dexConfig: { connectors: dex['connectors'] ?? null } } : {}),
    ...(config
      ? {
          oidcConfig: {
            name: textAt(config, 'name'),
            issuer: textAt(config, 'issuer'),
            clientID: textAt(config, 'clientID'),
            cliClientID: textAt(config, 'cliClientID'),
            scopes: config['requestedScopes'] ?? null,
            idTokenClaims: config['requestedIDTokenClaims'] ?? null,
            enablePKCEAuthentication: config['enablePKCEAuthentication'] === true,
          },
        }
      : {}),
  };
}

/** A setting that is not YAML has no value. */
function readOrNull(text: string | undefined): Json {
  try {
    const value = readYaml(text ?? '');
    return JSON.parse(JSON.stringify(value ?? null));
  } catch {
    return null;
  }
}

function yamlList(text: string | undefined): Json {
  const value = readOrNull(text);
  return Array.isArray(value) ? value : null;
}

function binaryUrls(settings: Readonly<Record<string, string>>): Record<string, string> {
  const prefix = 'help.download.';
  const given = Object.entries(stringsAt({ settings }, 'settings')).filter(([key]) => key.startsWith(prefix));
  return Object.fromEntries(given.map(([key, url]) => [key.slice(prefix.length), url]));
}
