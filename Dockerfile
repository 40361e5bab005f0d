# The server of `herobench serve`, as a user without rights. docs/serve.md says how to run it without a network.
#
#     docker build -t herobench .
#     docker run --rm --read-only --tmpfs /tmp --cap-drop ALL --security-opt no-new-privileges \
#         --pids-limit 256 --memory 4g -p 127.0.0.1:8765:8765 herobench --dataset base
FROM python:3.13-slim

COPY . /source
RUN pip install --no-cache-dir '/source[serve]' && rm -r /source

# nobody
USER 65534:65534
WORKDIR /tmp
ENV HOME=/tmp PYTHONDONTWRITEBYTECODE=1
EXPOSE 8765
HEALTHCHECK --start-period=30s CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8765/health')"]
ENTRYPOINT ["herobench", "serve", "--host", "0.0.0.0", "--port", "8765"]
