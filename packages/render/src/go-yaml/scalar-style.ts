import type { ScalarStyle } from './token.ts';

/** The styles in which a text can be written without a change. */
export interface ScalarForms {
  readonly multiline: boolean;
  readonly plain: boolean;
  /** Plain inside brackets or braces, where more characters are special. */
  readonly flowPlain: boolean;
  readonly single: boolean;
  readonly block: boolean;
}

const special = /[^\n\x20-\x7e\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd]/;
const breaks = /[\r\n\x85\u2028\u2029]/u;
const spaceThenBreak = / [\r\n\x85\u2028\u2029]/u;
const breakThenSpace = /[\r\n\x85\u2028\u2029] /u;
const outerBlank = /^[ \r\n\x85\u2028\u2029]|[ \r\n\x85\u2028\u2029]$/u;
/** Text that needs quotes: document markers, indicators, `: ` and ` #`. */
const indicators = /^(?:---|\.\.\.|[#,[\]{}&*!|>'"%@`]|[?:-](?:[ \t]|$))|:(?:[ \t]|$)|[ \t\r\n\0\x85\u2028\u2029]#/u;

/** Fast path for the most common text. */
const word = /^[A-Za-z_/$.(][\w./()$=-]*$/u;

const plainWord: ScalarForms = { multiline: false, plain: true, flowPlain: true, single: true, block: true };
const flowIndicators = /[,?:[\]{}]/u;

export function scalarForms(text: string, tabsInBlocks: boolean): ScalarForms {
  if (text === '') return { multiline: false, plain: true, flowPlain: false, single: true, block: false };
  if (word.test(text) && !text.startsWith('...')) return plainWord;
  const multiline = breaks.test(text);
  const hasTab = text.includes('\t');
  const hasSpecial = special.test(tabsInBlocks && hasTab ? text.replaceAll('\t', '') : text);
  const spaceBreak = multiline && spaceThenBreak.test(text);
  const breakSpace = multiline && breakThenSpace.test(text);
  const unquotable = hasSpecial || spaceBreak || hasTab;
  const plain = !unquotable && !multiline && !outerBlank.test(text) && !indicators.test(text);
  return {
    multiline,
    plain,
    flowPlain: plain && !flowIndicators.test(text),
    single: !unquotable && !breakSpace,
    block: !hasSpecial && !spaceBreak && !text.endsWith(' '),
  };
}

/** The style to use if `requested` is not possible. */
export function possibleStyle(
  requested: ScalarStyle,
  text: string,
  forms: ScalarForms,
  asSimpleKey: boolean,
  inFlow = false,
): ScalarStyle {
  let style = requested;
  if (asSimpleKey && forms.multiline) style = 'double';
  const plain = inFlow ? forms.flowPlain : forms.plain;
  if (style === 'plain' && (!plain || (text === '' && (asSimpleKey || inFlow)))) style = 'single';
  if (style === 'single' && !forms.single) style = 'double';
  if ((style === 'literal' || style === 'folded') && (!forms.block || asSimpleKey || inFlow)) style = 'double';
  return style;
}
