/** The pages that are measured, and what shows once their content does. */
export const pagesOf = (mint: string) => ({
  home: { path: "/", shown: ".card .cover" },
  board: { path: "/board", shown: ".board-card .cover" },
  token: { path: `/token/${mint}`, shown: ".chart canvas" },
});

export type PageName = keyof ReturnType<typeof pagesOf>;
