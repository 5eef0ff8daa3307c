// A scripted endpoint in TypeScript. The gateway removes the types when it reads the file.
interface ScriptRequest {
  Params: Record<string, string[]>
}

// biome-ignore lint/correctness/noUnusedVariables: the definition names it
function price(request: ScriptRequest): string {
  const amount: number = Number(request.Params.amount?.[0] ?? '1')
  return SvcJsResponse({ Code: 200, Body: `${amount} pieces cost ${amount * 3}` }, {})
}
