import type { ApplicationDetail } from '../api/read-application.ts';
import { yamlText } from '../lib/yaml-text.ts';
import { t } from '../messages/index.ts';
import { CodeView } from './code/code-view.tsx';

export default function ManifestSection({ app }: { readonly app: ApplicationDetail }) {
  return <CodeView text={yamlText(app.object)} label={t.app.manifest} />;
}
