export interface Platform {
  readonly os: string;
  readonly arch: string;
  readonly variant: string;
}

/** `os/arch[/variant]`. */
export const platformKey = ({ os, arch, variant }: Platform): string => `${os}/${arch}${variant ? `/${variant}` : ''}`;

/** Undefined for what is no platform. */
export function parsePlatform(text: string): Platform | undefined {
  const [os = '', arch, ...variant] = text.trim().split('/');
  return arch === undefined ? undefined : { os, arch, variant: variant.join('/') };
}

/**
 * Which images are wanted: those of the platforms named, or of the platform that we run on where none is named, unless that is to be
 * ignored. A platform named without a variant takes every variant. A name that is no platform admits none: a misspelt restriction
 * must not become no restriction.
 */
export function platformFilter(
  configured: readonly string[],
  runtime: { readonly os: string; readonly arch: string } | undefined,
): (platform: Platform) => boolean {
  const wanted = new Set(
    configured.length > 0
      ? configured.map((text) => {
          const platform = parsePlatform(text);
          return platform ? platformKey(platform) : `${text.trim()}/`;
        })
      : runtime
        ? [platformKey({ ...runtime, variant: '' })]
        : [],
  );
  if (wanted.size === 0) return () => true;
  return (platform) =>
    wanted.has(platformKey(platform)) ||
    (platform.variant !== '' && wanted.has(platformKey({ ...platform, variant: '' })));
}
