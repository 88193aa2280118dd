export interface Platform {
  readonly os: string;
  readonly arch: string;
  readonly variant: string;
}

/** `os/arch[/variant]`. */
export const platformKey = ({ os, arch, variant }: Platform): string => `${os}/${arch}${variant ? `/${variant}` : ''}`;

/** Undefined if the text is not a platform. */
export function parsePlatform(text: string): Platform | undefined {
  const [os = '', arch, ...variant] = text.trim().split('/');
  return arch === undefined ? undefined : { os, arch, variant: variant.join('/') };
}

/**
 * Selects images by platform: the configured platforms, or the runtime platform if none is configured and it is not ignored. A platform
 * without a variant matches every variant. An invalid platform matches nothing: a misspelt restriction must not become no
 * restriction.
 */
export function platformFilter(
  configured: readonly string[],
  runtime: { readonly os: string; readonly arch: string } | undefined,
): (platform: Platform) => boolean {
  const platforms = new Set(
    configured.length > 0
      ? configured.map((text) => {
          const platform = parsePlatform(text);
          return platform ? platformKey(platform) : `${text.trim()}/`;
        })
      : runtime
        ? [platformKey({ ...runtime, variant: '' })]
        : [],
  );
  if (platforms.size === 0) return () => true;
  return (platform) =>
    platforms.has(platformKey(platform)) ||
    (platform.variant !== '' && platforms.has(platformKey({ ...platform, variant: '' })));
}
