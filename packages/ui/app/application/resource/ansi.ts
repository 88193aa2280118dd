const escape = String.fromCharCode(27);
const bell = String.fromCharCode(7);
const sequences = new RegExp(
  `${escape}\\[[\\d;?]*[A-Za-z]|${escape}\\][^${bell}${escape}]*(?:${bell}|${escape}\\\\)|[\\p{Cc}--[\\t]]`,
  'gv',
);

/** Colours and other control sequences of terminals are removed: what a container prints is only text. */
export const plainText = (text: string): string => text.replace(sequences, '');
