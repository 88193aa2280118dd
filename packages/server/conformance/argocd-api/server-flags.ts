import type { StartServerOptions } from '../../src/start-server.ts';

/** The options that flags of argocd-server mean. */
export function serverFlags(flags: readonly string[]): Partial<StartServerOptions> {
  const options: { -readonly [K in keyof StartServerOptions]?: StartServerOptions[K] } = {};
  for (let i = 0; i < flags.length; i++) {
    const [flag = '', given] = (flags[i] ?? '').split('=');
    const value = (): string => {
      if (given !== undefined) return given;
      i += 1;
      return flags[i] ?? '';
    };
    if (flag === '--application-namespaces') options.applicationNamespaces = value().split(',');
    else if (flag === '--api-content-types') options.contentTypes = value().split(';').filter(Boolean);
    else if (flag === '--disable-auth') options.disableAuth = true;
    else if (flag === '--x-frame-options') options.frameOptions = value();
    else if (flag === '--content-security-policy') options.contentSecurityPolicy = value();
    else if (flag === '--disable-swagger-ui') options.disableSwaggerUi = true;
    else if (flag === '--enable-gzip') options.gzip = given !== 'false';
    else if (flag === '--hydrator-enabled') options.hydratorEnabled = true;
    else if (flag === '--sync-with-replace-allowed') options.replaceAllowed = given !== 'false';
    else throw new Error(`unknown flag ${flag}`);
  }
  return options;
}
