import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { nonce } from '../../lib/nonce.ts';

const highlight = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--accent)' },
  { tag: [tags.string, tags.content], color: 'var(--text)' },
  { tag: [tags.number, tags.bool, tags.null, tags.keyword], color: 'var(--purple)' },
  { tag: tags.comment, color: 'var(--text-muted)' },
]);

const theme = EditorView.theme({
  '&': { fontSize: '0.8125rem', backgroundColor: 'var(--surface)', color: 'var(--text)' },
  '.cm-content': { fontFamily: 'var(--mono)', caretColor: 'var(--text)' },
  '.cm-gutters': { backgroundColor: 'var(--surface)', color: 'var(--text-muted)', border: 'none' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'transparent' },
  '&.cm-focused': { outline: '2px solid var(--focus)', outlineOffset: '-2px' },
  '.cm-selectionBackground, &.cm-focused .cm-selectionBackground': { backgroundColor: 'var(--accent-soft)' },
  '.cm-insertedLine, .cm-changedLine, &.cm-merge-b .cm-changedLine': { backgroundColor: 'var(--diff-add)' },
  '.cm-deletedChunk, &.cm-merge-a .cm-changedLine, .cm-deletedLine': { backgroundColor: 'var(--diff-remove)' },
  '&.cm-merge-b .cm-changedText, .cm-insertedLine .cm-changedText': {
    background: 'none',
    textDecoration: 'underline',
    fontWeight: '700',
  },
  '&.cm-merge-a .cm-changedText, .cm-deletedChunk .cm-deletedText, .cm-deletedText': {
    background: 'none',
    textDecoration: 'line-through',
  },
  '.cm-collapsedLines': { background: 'var(--surface-3)', color: 'var(--text)', padding: '4px 10px' },
  // The default sign is in few fonts.
  '.cm-collapsedLines:before, .cm-collapsedLines:after': { content: '"⋯"' },
  '.cm-panels': { backgroundColor: 'var(--surface-2)', color: 'var(--text)' },
  '.cm-searchMatch': { backgroundColor: 'var(--warn-soft)', outline: '1px solid var(--warn)' },
});

/** The appearance of all code, from the tokens of the page. */
export const codeTheme: Extension = [theme, syntaxHighlighting(highlight), EditorView.cspNonce.of(nonce)];
