/** JSON in the format of Go: characters that are special in HTML are escaped in strings. */
export const escapeHtml = (text: string): string =>
  text.replace(/[<>&\u2028\u2029]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
