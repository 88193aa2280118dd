import { yaml } from '@codemirror/lang-yaml';
import { foldGutter } from '@codemirror/language';
import { search } from '@codemirror/search';
import { EditorState } from '@codemirror/state';
import { EditorView, lineNumbers } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import { codeTheme } from './code-theme.ts';

interface CodeEditorProps {
  readonly text: string;
  readonly label: string;
}

/** YAML to read. */
export default function CodeEditor({ text, label }: CodeEditorProps) {
  const parent = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!parent.current) return;
    const view = new EditorView({
      parent: parent.current,
      state: EditorState.create({
        doc: text,
        extensions: [
          yaml(),
          lineNumbers(),
          foldGutter(),
          search({ top: true }),
          EditorState.readOnly.of(true),
          EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
          codeTheme,
        ],
      }),
    });
    return () => view.destroy();
  }, [text, label]);
  return <div ref={parent} className="code" />;
}
