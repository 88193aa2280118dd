import { useMe } from '../api/me.ts';
import { safeUrl } from '../lib/safe-url.ts';

/** `ui.bannercontent` of argocd-cm. */
export function SettingsBanner() {
  const { banner } = useMe().settings;
  if (!banner) return null;
  const url = safeUrl(banner.url);
  return <div className="settings-banner">{url ? <a href={url}>{banner.content}</a> : banner.content}</div>;
}
