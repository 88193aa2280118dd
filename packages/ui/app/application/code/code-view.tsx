import { lazy, Suspense } from 'react';
import { Loading } from '../../design/loading.tsx';
import { showToast } from '../../design/toasts.tsx';
import { t } from '../../messages/index.ts';

const CodeEditor = lazy(() => import('./code-editor.tsx'));

/** YAML to read and copy. */
export function CodeView({ text, label }: { readonly text: string; readonly label: string }) {
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    showToast(t.copied);
  };
  return (
    <div className="code-view card">
      <button type="button" className="button code-copy" onClick={() => void copy()}>
        {t.copy}
      </button>
      <Suspense fallback={<Loading lines={10} />}>
        <CodeEditor text={text} label={label} />
      </Suspense>
    </div>
  );
}
