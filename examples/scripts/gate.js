// A script that runs before the key is read: it rejects requests without a name.
var gate = new SvcJS.SvcMiddleware.NewMiddleware({})
gate.NewProcessRequest((request) => {
  if (request.Headers['X-Name'] === undefined) {
    request.ReturnOverrides.ResponseCode = 401
    request.ReturnOverrides.ResponseError = 'who are you?'
  } else {
    log(`greeting ${request.Headers['X-Name'][0]}`)
    request.SetHeaders['X-Greeting'] = `hello ${request.Headers['X-Name'][0]}`
  }
  return gate.ReturnData(request, {})
})
