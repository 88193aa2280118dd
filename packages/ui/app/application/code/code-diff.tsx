import { yaml } from '@codemirror/lang-yaml';
import { MergeView, unifiedMergeView } from '@codemirror/merge';
import { EditorState, type Extension } from '@codemirror/state';
import { EditorView, lineNumbers } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import { t } from '../../messages/index.ts';
import { codeTheme } from './code-theme.ts';

interface CodeDiffProps {
  readonly live: string;
  readonly target: string;
  readonly inline: boolean;
}

const shared = (label: string): Extension => [
  yaml(),
  lineNumbers(),
  EditorState.readOnly.of(true),
  EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
  EditorView.lineWrapping,
  codeTheme,
];
const collapse = { margin: 3, minSize: 6 };

/** Two manifests: side by side, or one with the other's lines between. */
export default function CodeDiff({ live, target, inline }: CodeDiffProps) {
  const parent = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!parent.current) return;
    if (inline) {
      const merge = unifiedMergeView({
        original: live,
        mergeControls: false,
        gutter: true,
        collapseUnchanged: collapse,
      });
      const view = new EditorView({
        parent: parent.current,
        state: EditorState.create({ doc: target, extensions: [shared(t.diff.target), merge] }),
      });
      return () => view.destroy();
    }
    const view = new MergeView({
      parent: parent.current,
      a: { doc: live, extensions: shared(t.diff.live) },
      b: { doc: target, extensions: shared(t.diff.target) },
      collapseUnchanged: collapse,
      gutter: true,
    });
    return () => view.destroy();
  }, [live, target, inline]);
  return <div ref={parent} className="code" />;
}
